package io.shardmark.proxy.pool;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The answers a server still owes, oldest first: a ring that grows. */
final class ExpectedAnswers {
  private static final int INITIAL = 16;

  private Expected[] kinds = new Expected[INITIAL];
  private @Nullable AnswerHandler[] handlers = new AnswerHandler[INITIAL];
  private long[] numbers = new long[INITIAL];
  private int first;
  private int size;
  private long added;

  boolean isEmpty() {
    return size == 0;
  }

  int size() {
    return size;
  }

  /** How many there have been so far. */
  long addedCount() {
    return added;
  }

  /**
   * One more answer.
   *
   * @param number for PARSE, and for CLOSE of a statement, the id of the statement; else {@link
   *     PreparedNames#NONE}
   */
  void add(Expected kind, @Nullable AnswerHandler handler, long number) {
    if (size == kinds.length) {
      grow();
    }
    int place = (first + size++) & (kinds.length - 1);
    added++;
    kinds[place] = kind;
    handlers[place] = handler;
    numbers[place] = number;
  }

  /** The kind that is due; only if not empty. */
  Expected kind() {
    return kinds[first];
  }

  @Nullable AnswerHandler handler() {
    return handlers[first];
  }

  long number() {
    return numbers[first];
  }

  void remove() {
    handlers[first] = null;
    first = (first + 1) & (kinds.length - 1);
    size--;
  }

  /** What a client would wait for in vain if the server were lost now. */
  ServerUser.Owed owedToClient(boolean firstFailed, boolean cutShort) {
    int readies = 0;
    boolean more = false;
    boolean errorSent = false;
    for (int i = 0; i < size; i++) {
      int place = (first + i) & (kinds.length - 1);
      AnswerHandler handler = handlers[place];
      boolean forwarded = handler == null || handler.use() == AnswerHandler.Use.FORWARD;
      if (!forwarded) {
        continue;
      }
      if (kinds[place] == Expected.QUERY || kinds[place] == Expected.SYNC) {
        errorSent |= i == 0 && firstFailed;
        readies++;
        more = false;
      } else {
        more = true;
      }
    }
    return new ServerUser.Owed(readies, errorSent, more, cutShort);
  }

  private void grow() {
    int length = kinds.length;
    Expected[] moreKinds = Arrays.copyOf(kinds, 2 * length);
    @Nullable AnswerHandler[] moreHandlers = Arrays.copyOf(handlers, 2 * length);
    long[] moreNumbers = Arrays.copyOf(numbers, 2 * length);
    for (int i = 0; i < length; i++) {
      int from = (first + i) & (length - 1);
      moreKinds[i] = kinds[from];
      moreHandlers[i] = handlers[from];
      moreNumbers[i] = numbers[from];
    }
    kinds = moreKinds;
    handlers = moreHandlers;
    numbers = moreNumbers;
    first = 0;
  }
}
