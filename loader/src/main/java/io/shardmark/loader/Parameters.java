package io.shardmark.loader;

import io.shardmark.loader.data.DataSet;
import io.shardmark.loader.data.Origin;
import java.time.LocalDateTime;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a continued load must agree on with the one that was interrupted.
 *
 * @param origin whose load time is taken over from the interrupted load, so that all rows have the
 *     same time
 * @param size the data set's parameters, as {@code name=value}
 */
record Parameters(Origin origin, String size) {
  private static final Pattern TEXT = Pattern.compile("seed=(-?\\d+) (.*) loadTime=(\\S+)");

  static Parameters of(DataSet data, Origin origin) {
    return new Parameters(
        origin,
        data.parameters().entrySet().stream()
            .map(entry -> entry.getKey() + "=" + entry.getValue())
            .collect(Collectors.joining(" ")));
  }

  /**
   * @throws IllegalStateException if another program wrote the text
   */
  static Parameters parse(String text) {
    Matcher matcher = TEXT.matcher(text.trim());
    if (!matcher.matches()) {
      throw new IllegalStateException("unknown entry in the journal of a load: " + text);
    }
    return new Parameters(
        new Origin(Long.parseLong(matcher.group(1)), LocalDateTime.parse(matcher.group(3))),
        matcher.group(2));
  }

  String text() {
    return "%s loadTime=%s".formatted(describe(), origin.loadTime());
  }

  Parameters withSeedOf(Parameters other) {
    return new Parameters(new Origin(other.origin.seed(), origin.loadTime()), size);
  }

  /** What must be equal. */
  String describe() {
    return "seed=%d %s".formatted(origin.seed(), size);
  }
}
