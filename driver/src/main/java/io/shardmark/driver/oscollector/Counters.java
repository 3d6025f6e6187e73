package io.shardmark.driver.oscollector;

import java.util.Arrays;
import java.util.List;
import java.util.function.LongBinaryOperator;
import java.util.stream.IntStream;

/** Numbers that only grow, as they are at a moment; or by how much they grew between two. */
record Counters(List<Long> values) {
  Counters {
    values = List.copyOf(values);
  }

  static Counters of(long... values) {
    return new Counters(Arrays.stream(values).boxed().toList());
  }

  long get(int index) {
    return values.get(index);
  }

  /**
   * What has been added since an earlier reading. One that went back has counted nothing: Linux may
   * take back a little idle or iowait time, and a device that was put in again begins at 0.
   */
  Counters since(Counters before) {
    return with(before, (now, then) -> Math.max(0, now - then));
  }

  Counters plus(Counters more) {
    return with(more, Long::sum);
  }

  private Counters with(Counters other, LongBinaryOperator operator) {
    return of(
        IntStream.range(0, values.size())
            .mapToLong(i -> operator.applyAsLong(get(i), other.get(i)))
            .toArray());
  }
}
