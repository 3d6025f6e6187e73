package io.shardmark.proxy.dialog;

import org.jspecify.annotations.Nullable;

/** The answers a server still owes, oldest first: a ring that grows. */
final class OutstandingAnswers<A extends Asker> {
  private static final int INITIAL = 16;

  private Expected[] kinds = new Expected[INITIAL];
  private @Nullable Asker[] askers = new Asker[INITIAL];
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
  void add(Expected kind, @Nullable A asker, long number) {
    if (size == kinds.length) {
      grow();
    }
    int place = place(size++);
    added++;
    kinds[place] = kind;
    askers[place] = asker;
    numbers[place] = number;
  }

  private int place(int index) {
    return (first + index) & (kinds.length - 1);
  }

  /** The kind of the answer that comes after so many others. */
  Expected kind(int index) {
    return kinds[place(index)];
  }

  @SuppressWarnings("unchecked") // only add puts anything in
  @Nullable A asker(int index) {
    return (A) askers[place(index)];
  }

  long number(int index) {
    return numbers[place(index)];
  }

  /** Takes out the first answer. */
  void remove() {
    askers[first] = null;
    first = place(1);
    size--;
  }

  /**
   * Takes out the answers from one index to before another.
   *
   * @param from 0 or 1
   */
  void remove(int from, int to) {
    if (from == 1) {
      kinds[place(to - 1)] = kinds[first];
      askers[place(to - 1)] = askers[first];
      numbers[place(to - 1)] = numbers[first];
    }
    for (int i = from; i < to; i++) {
      remove();
    }
  }

  /** Whether one of the answers from an index on is of that statement. */
  boolean concerns(long number, int from) {
    for (int i = from; i < size; i++) {
      if (numbers[place(i)] == number) {
        return true;
      }
    }
    return false;
  }

  /** What a client would wait for in vain if the server were lost now. */
  Owed owedToClient(boolean firstFailed, boolean cutShort) {
    int readies = 0;
    boolean more = false;
    boolean errorSent = false;
    for (int i = 0; i < size; i++) {
      int place = place(i);
      Asker asker = askers[place];
      if (asker != null && !asker.passesAll()) {
        continue;
      }
      if (kinds[place].endsWithReady()) {
        errorSent |= i == 0 && firstFailed && kinds[place] == Expected.QUERY;
        readies++;
        more = false;
      } else {
        more = true;
      }
    }
    return new Owed(readies, errorSent, more, cutShort);
  }

  private void grow() {
    Expected[] moreKinds = new Expected[2 * size];
    @Nullable Asker[] moreAskers = new Asker[2 * size];
    long[] moreNumbers = new long[2 * size];
    for (int i = 0; i < size; i++) {
      int from = place(i);
      moreKinds[i] = kinds[from];
      moreAskers[i] = askers[from];
      moreNumbers[i] = numbers[from];
    }
    kinds = moreKinds;
    askers = moreAskers;
    numbers = moreNumbers;
    first = 0;
  }

  OutstandingAnswers<A> copy() {
    OutstandingAnswers<A> copy = new OutstandingAnswers<>();
    copy.kinds = kinds.clone();
    copy.askers = askers.clone();
    copy.numbers = numbers.clone();
    copy.first = first;
    copy.size = size;
    copy.added = added;
    return copy;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < size; i++) {
      int place = place(i);
      text.append(' ').append(kinds[place]);
      Asker asker = askers[place];
      if (asker != null) {
        text.append('(').append(asker).append(')');
      }
    }
    return text.toString();
  }
}
