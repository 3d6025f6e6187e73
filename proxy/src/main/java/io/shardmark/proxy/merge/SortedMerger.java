package io.shardmark.proxy.merge;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * Merges answers that are in order each. A row passes as soon as every answer that has not ended
 * shows a row of its own; until then it waits in its answer's queue.
 */
final class SortedMerger implements RowMerger {
  private final int columns;
  private final RowOrder order;
  private final RowOutput output;
  private final Answer[] answers;

  /** How much one answer may hold before it counts as ahead; together half of the limit. */
  private final long aheadBytes;

  /** Answers that have not ended and show no row: while there is one, nothing passes. */
  private int silent;

  /** What is known of one shard's answer. */
  private static final class Answer {
    final Queue<RowOrder.Keyed> rows = new ArrayDeque<>();
    long heldBytes;
    boolean ended;
  }

  SortedMerger(int columns, RowOrder order, int shardCount, RowOutput output) {
    this.columns = columns;
    this.order = order;
    this.output = output;
    this.answers = new Answer[shardCount];
    Arrays.setAll(answers, i -> new Answer());
    this.silent = shardCount;
    this.aheadBytes = output.memory().limitBytes() / 2 / shardCount;
  }

  @Override
  public void row(int answer, ByteBuf dataRow, Consumer<ByteBuf> out) {
    if (output.isSatisfied()) {
      return;
    }
    output.allocateAs(dataRow);
    Row row = Row.copyOf(dataRow, columns);
    Answer from = answers[answer];
    if (from.rows.isEmpty()) {
      silent--;
    }
    from.rows.add(order.keyed(row));
    long bytes = bytes(row);
    from.heldBytes += bytes;
    output.memory().take(bytes);
    pass(out);
  }

  private static long bytes(Row row) {
    return (long) HeldMemory.OVERHEAD_BYTES + row.body().length;
  }

  @Override
  public void answerEnd(int answer, Consumer<ByteBuf> out) {
    end(answers[answer]);
    pass(out);
  }

  private void end(Answer answer) {
    if (!answer.ended) {
      answer.ended = true;
      if (answer.rows.isEmpty()) {
        silent--;
      }
    }
  }

  @Override
  public void finish(Consumer<ByteBuf> out) {
    for (Answer answer : answers) {
      end(answer);
    }
    pass(out);
  }

  private void pass(Consumer<ByteBuf> out) {
    while (silent == 0 && !output.isSatisfied()) {
      Answer first = null;
      RowOrder.Keyed least = null;
      for (Answer answer : answers) {
        RowOrder.Keyed head = answer.rows.peek();
        if (head != null && (least == null || order.compare(head, least) < 0)) {
          first = answer;
          least = head;
        }
      }
      if (first == null || least == null) {
        return;
      }
      first.rows.remove();
      long bytes = bytes(least.row());
      first.heldBytes -= bytes;
      output.memory().give(bytes);
      if (first.rows.isEmpty() && !first.ended) {
        silent++;
      }
      output.row(least.row(), out);
    }
  }

  @Override
  public long rowCount() {
    return output.count();
  }

  @Override
  public boolean ahead(int answer) {
    return !output.isSatisfied() && answers[answer].heldBytes > aheadBytes;
  }

  @Override
  public boolean needs(int answer) {
    return answers[answer].rows.isEmpty() && !answers[answer].ended;
  }

  @Override
  public boolean satisfied() {
    return output.isSatisfied();
  }

  @Override
  public void close() {
    for (Answer answer : answers) {
      answer.rows.clear();
    }
  }
}
