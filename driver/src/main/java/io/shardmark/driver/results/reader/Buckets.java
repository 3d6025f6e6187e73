package io.shardmark.driver.results.reader;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What happened over time, on one or more lines. At most so many buckets: when there would be more,
 * each two become one of twice the width, so that a run of any length fits.
 *
 * @param <B> a bucket, which is changed in place
 */
final class Buckets<B> {
  private final int most;
  private final Supplier<B> empty;
  private final BiConsumer<B, B> merge;
  private final List<List<@Nullable B>> lines = new ArrayList<>();
  private long width;
  private int size;

  /**
   * @param width of a bucket at first, in the unit of all times here
   * @param merge adds the second to the first, which is the earlier one
   */
  Buckets(long width, int most, Supplier<B> empty, BiConsumer<B, B> merge) {
    this.width = width;
    this.most = most;
    this.empty = empty;
    this.merge = merge;
  }

  long width() {
    return width;
  }

  /** How many there are, empty ones at the end not counted. */
  int size() {
    return size;
  }

  int lines() {
    return lines.size();
  }

  /** The bucket of a line at a time, from 0. */
  B at(int line, long time) {
    while (time / width >= most) {
      widen();
    }
    while (lines.size() <= line) {
      lines.add(new ArrayList<>());
    }
    List<@Nullable B> buckets = lines.get(line);
    int index = (int) (time / width);
    while (buckets.size() <= index) {
      buckets.add(null);
    }
    B bucket = buckets.get(index);
    if (bucket == null) {
      bucket = empty.get();
      buckets.set(index, bucket);
    }
    size = Math.max(size, index + 1);
    return bucket;
  }

  /** By its number; null if nothing happened there. */
  @Nullable B find(int line, int index) {
    return line < lines.size() && index < lines.get(line).size()
        ? lines.get(line).get(index)
        : null;
  }

  /** Those of a line in which something happened. */
  List<B> of(int line) {
    List<B> found = new ArrayList<>();
    for (int index = 0; index < size; index++) {
      B bucket = find(line, index);
      if (bucket != null) {
        found.add(bucket);
      }
    }
    return found;
  }

  /** Makes one of each two. */
  void widen() {
    width *= 2;
    size = (size + 1) / 2;
    for (List<@Nullable B> line : lines) {
      int half = (line.size() + 1) / 2;
      for (int i = 0; i < half; i++) {
        B first = line.get(2 * i);
        B second = 2 * i + 1 < line.size() ? line.get(2 * i + 1) : null;
        if (first != null && second != null) {
          merge.accept(first, second);
        }
        line.set(i, first == null ? second : first);
      }
      line.subList(half, line.size()).clear();
    }
  }
}
