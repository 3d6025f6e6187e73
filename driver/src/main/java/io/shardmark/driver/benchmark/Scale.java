package io.shardmark.driver.benchmark;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * The size of a benchmark's data, in the unit that it is scaled by, and the part of it that this
 * process works on.
 *
 * @param unit one of them, such as {@code warehouse}
 * @param size how many the data have, from 1
 * @param from the first one of this process, from 1
 * @param to the last one of this process, at most {@code size}
 * @param use how several drivers of one run share it
 */
public record Scale(String unit, int size, int from, int to, ScaleUse use) {
  /** How several drivers share the scale. */
  public enum ScaleUse {
    /** Each driver works on its own range. */
    DIVIDED,
    /** Each driver works on all of it. */
    SHARED
  }

  public Scale {
    if (from < 1 || to < from || to > size) {
      throw new IllegalArgumentException("%s %d to %d of %d".formatted(unit, from, to, size));
    }
  }

  /** The same of all drivers together. */
  public Scale whole() {
    return new Scale(unit, size, 1, size, use);
  }

  /** True if this process works on all of it. */
  @JsonIgnore
  public boolean isWhole() {
    return from == 1 && to == size;
  }

  /** How many there are, such as {@code 10 warehouses}. */
  public String words() {
    return size + " " + name();
  }

  /** What so many of them are called. */
  @JsonIgnore
  public String name() {
    return size == 1 ? unit : plural();
  }

  /** More than one of them. */
  public String plural() {
    return unit.endsWith("h") ? unit + "es" : unit + "s";
  }

  /** All drivers of a run work on all of it. */
  public static Scale shared(String unit, int size) {
    return new Scale(unit, size, 1, size, ScaleUse.SHARED);
  }

  /** Each driver of a run has its own range; a run of one driver has all. */
  public static Scale divided(String unit, int size, int from, int to) {
    return new Scale(unit, size, from, to, ScaleUse.DIVIDED);
  }

  /** As the result of a run has it. */
  public io.shardmark.driver.results.RunScale result() {
    return new io.shardmark.driver.results.RunScale(plural(), size);
  }
}
