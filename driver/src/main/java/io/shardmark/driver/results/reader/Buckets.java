package io.shardmark.driver.results.reader;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
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
  private final List<SortedMap<Integer, B>> lines = new ArrayList<>();
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
      lines.add(new TreeMap<>());
    }
    int index = (int) (time / width);
    size = Math.max(size, index + 1);
    return lines.get(line).computeIfAbsent(index, unused -> empty.get());
  }

  /** By its number; null if nothing happened there. */
  @Nullable B find(int line, int index) {
    return line < lines.size() ? lines.get(line).get(index) : null;
  }

  /** Those of a line in which something happened. */
  Collection<B> of(int line) {
    return line < lines.size() ? lines.get(line).values() : List.of();
  }

  /** Makes one of each two. */
  void widen() {
    width *= 2;
    size = (size + 1) / 2;
    lines.replaceAll(this::wider);
  }

  private SortedMap<Integer, B> wider(SortedMap<Integer, B> line) {
    SortedMap<Integer, B> wider = new TreeMap<>();
    line.forEach(
        (index, bucket) -> {
          B earlier = wider.putIfAbsent(index / 2, bucket);
          if (earlier != null) {
            merge.accept(earlier, bucket);
          }
        });
    return wider;
  }
}
