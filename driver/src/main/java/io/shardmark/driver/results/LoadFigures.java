package io.shardmark.driver.results;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * What a run asked of the system in its measurement interval, and what became of it. Counts
 * transactions that are counted.
 *
 * @param askedPerMinute rate of the schedule (an open loop, or a limit that is one); 0 if terminals
 *     wait for their answers: then no more is due than they came to
 * @param due transactions whose due time lies in the interval
 * @param begun transactions that a worker took up in it
 * @param done transactions that ended in it, successes and errors
 * @param backlogAtStart due before the interval and not begun when it started
 * @param backlogAtEnd due by the end of the interval and not begun
 * @param inFlightAtEnd begun by the end of the interval and not done
 * @param brokenOff of those in flight, how many had to be broken off after the grace period
 */
public record LoadFigures(
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) double askedPerMinute,
    long due,
    long begun,
    long done,
    long backlogAtStart,
    long backlogAtEnd,
    long inFlightAtEnd,
    long brokenOff) {
  /** How long transactions may go on after the measurement interval before they are broken off. */
  public static final int GRACE_SECONDS = 15;

  public static final LoadFigures NONE = new LoadFigures(0, 0, 0, 0, 0, 0, 0, 0);

  /** By how much the backlog grew in the interval; negative if it shrank. */
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public long backlogGrowth() {
    return backlogAtEnd - backlogAtStart;
  }

  /** What several drivers did together. */
  public LoadFigures plus(LoadFigures other) {
    return new LoadFigures(
        askedPerMinute + other.askedPerMinute,
        due + other.due,
        begun + other.begun,
        done + other.done,
        backlogAtStart + other.backlogAtStart,
        backlogAtEnd + other.backlogAtEnd,
        inFlightAtEnd + other.inFlightAtEnd,
        brokenOff + other.brokenOff);
  }
}
