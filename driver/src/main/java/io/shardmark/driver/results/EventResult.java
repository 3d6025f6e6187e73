package io.shardmark.driver.results;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Something that was done to the system under test during a run, and what it did to the run.
 *
 * @param atSeconds when it began, from the start of the measurement interval
 * @param seconds how long its command took
 * @param outcome what the command said, or why it failed; empty if it ended well
 * @param before the seconds before it, those of an earlier event left out
 * @param during from its beginning to the end of its command
 * @param after the seconds from then on, until the next event
 * @param dipPercent by how much the lowest second lay under the rate before; null without any
 *     seconds before
 * @param dipSeconds how long the rate was below 95 % of that before; null as {@code dipPercent}
 * @param backAfterSeconds when it was back at 95 %, from the beginning of the event; null if not
 *     before the next event or the end
 * @param failed transactions, from its beginning until the rate was back
 * @param lost those of them whose connection was lost: whether they committed is not known
 * @param wrong those of them that the database answered wrongly
 */
public record EventResult(
    String label,
    String command,
    double atSeconds,
    double seconds,
    String outcome,
    EventWindow before,
    EventWindow during,
    EventWindow after,
    @JsonSetter(nulls = Nulls.SET) @Nullable Double dipPercent,
    @JsonSetter(nulls = Nulls.SET) @Nullable Double dipSeconds,
    @JsonSetter(nulls = Nulls.SET) @Nullable Double backAfterSeconds,
    long failed,
    long lost,
    long wrong) {
  public EventResult {
    before = Objects.requireNonNullElse(before, EventWindow.NONE);
    during = Objects.requireNonNullElse(during, EventWindow.NONE);
    after = Objects.requireNonNullElse(after, EventWindow.NONE);
  }
}
