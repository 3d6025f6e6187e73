package io.shardmark.proxy.merge;

import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;

/** Passes rows on at once, in the order they come in. */
final class ConcatMerger implements RowMerger {
  private final int columns;
  private final RowOutput output;

  ConcatMerger(int columns, RowOutput output) {
    this.columns = columns;
    this.output = output;
  }

  @Override
  public void row(int answer, ByteBuf dataRow, Consumer<ByteBuf> out) {
    if (output.isSatisfied()) {
      return;
    }
    output.allocateAs(dataRow);
    if (output.takesWholeRows(columns)) {
      output.whole(dataRow, out);
    } else {
      output.row(Row.copyOf(dataRow, columns), out);
    }
  }

  @Override
  public void answerEnd(int answer, Consumer<ByteBuf> out) {
    // nothing waits
  }

  @Override
  public void finish(Consumer<ByteBuf> out) {
    // nothing waits
  }

  @Override
  public long rowCount() {
    return output.count();
  }

  @Override
  public boolean ahead(int answer) {
    return false;
  }

  @Override
  public boolean needs(int answer) {
    return true;
  }

  @Override
  public boolean satisfied() {
    return output.isSatisfied();
  }

  @Override
  public void close() {
    // holds nothing that must be freed
  }
}
