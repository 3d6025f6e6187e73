package io.shardmark.driver.result;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The drivers of a run that several made together. In the result of one of them it holds that one
 * alone, without figures.
 *
 * @param group what all their results have in common and no others
 * @param count how many drivers the run had
 * @param kind whose result this is
 * @param drivers those whose results are in this one, in order
 * @param lost those whose results should be in it and are not
 */
public record DriversSummary(
    String group, int count, Kind kind, List<Driver> drivers, List<LostDriver> lost) {
  public DriversSummary {
    drivers = List.copyOf(drivers);
    lost = List.copyOf(lost);
  }

  /** Whose result it is. */
  public enum Kind {
    /** One driver's. */
    PART,
    /** That of all of them. */
    MERGED
  }

  /**
   * One driver.
   *
   * @param index from 0
   * @param share its part of the run
   * @param clock when it started
   * @param figures what it did; only in a merged result
   */
  public record Driver(int index, Share share, StartClock clock, List<Figures> figures) {
    public Driver {
      figures = List.copyOf(figures);
    }
  }

  /**
   * A driver's part of a run.
   *
   * @param warehouseFrom first home warehouse
   * @param warehouseTo last one
   * @param terminals how many it had; 0 if not known
   * @param connections how many it opened; 0 if not known
   */
  public record Share(int warehouseFrom, int warehouseTo, int terminals, int connections) {}

  /**
   * How well its clock and start agreed with driver 0's.
   *
   * @param uncertaintyNanos how far the agreed instants may have been apart, at most
   * @param lateNanos how late its terminals were ready after the agreed instant; 0 if they were in
   *     time
   * @param driftNanos how far its clock went away from driver 0's until the end, if that was
   *     measured
   * @param observedNanos how long before the agreed instant its files of observers, such as {@code
   *     client.csv}, begin; 0 if they begin with it
   */
  public record StartClock(
      long uncertaintyNanos, long lateNanos, OptionalLong driftNanos, long observedNanos) {}

  /**
   * What one driver did and used.
   *
   * @param machine where it ran, as names and texts
   */
  public record Figures(
      double tpmC,
      double tpmTotal,
      long transactions,
      long errors,
      ClientFigures client,
      Map<String, String> machine) {
    public Figures {
      machine = Map.copyOf(new LinkedHashMap<>(machine));
    }
  }

  /**
   * A driver whose result is missing.
   *
   * @param share what it should have done, as far as known
   * @param reason what is known of its end
   */
  public record LostDriver(int index, Share share, String reason) {}

  public boolean isMerged() {
    return kind == Kind.MERGED;
  }

  /** How far the starts of any driver and of driver 0 may have been apart, at most. */
  public long startSkewNanos() {
    return drivers.stream()
        .mapToLong(driver -> driver.clock().uncertaintyNanos() + driver.clock().lateNanos())
        .max()
        .orElse(0);
  }
}
