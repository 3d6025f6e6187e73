package io.shardmark.config;

import static io.shardmark.config.PropertyKey.CHECK_EVERY;
import static io.shardmark.config.PropertyKey.CONN;
import static io.shardmark.config.PropertyKey.DRIVERS;
import static io.shardmark.config.PropertyKey.EVENTS;
import static io.shardmark.config.PropertyKey.RUN_TXNS_PER_TERMINAL;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is done to the system under test during a run, and how often its data is checked meanwhile.
 *
 * @param events key {@code events}, in the order of their times
 * @param checkEvery key {@code checkEvery}: from the start of one check to that of the next
 */
public record AdversityConfig(List<PlannedEvent> events, Optional<Duration> checkEvery) {
  private static final Pattern PERIOD = Pattern.compile("([1-9]\\d{0,5})([smh])");

  public AdversityConfig {
    events = List.copyOf(events);
  }

  /** True if transactions are to be counted by second for one of them. */
  public boolean isAsked() {
    return !events.isEmpty() || checkEvery.isPresent();
  }

  /** Reads the keys and what they cannot be combined with. */
  static AdversityConfig read(PropertyReader reader, ConnectionConfig connection, RunConfig run) {
    List<PlannedEvent> events = reader.name(EVENTS, List.of(), PlannedEvent::listOf);
    Optional<Duration> every =
        reader.name(CHECK_EVERY, Optional.empty(), text -> Optional.of(period(text)));
    AdversityConfig config = new AdversityConfig(events, every);
    if (!config.isAsked()) {
      return config;
    }
    PropertyKey asked = events.isEmpty() ? CHECK_EVERY : EVENTS;
    if (reader.integer(DRIVERS) > 1) {
      throw reader.bad(asked, "drivers=1 with it");
    }
    if (run.transactionsPerTerminal() > 0) {
      throw reader.bad(
          RUN_TXNS_PER_TERMINAL,
          "runMins with %s: it follows the run's time".formatted(asked.key()));
    }
    if (every.isPresent() && connection.isNothing()) {
      throw reader.bad(CONN, "a server with checkEvery: there is no data to check");
    }
    for (PlannedEvent event : events) {
      requireWithin(reader, EVENTS, run, "'" + event.label() + "' at ", event.at());
      if (event.isBuiltIn() && connection.isNothing()) {
        throw reader.bad(CONN, "a server with built-in events such as " + event.command());
      }
    }
    every.ifPresent(period -> requireWithin(reader, CHECK_EVERY, run, "", period));
    return config;
  }

  private static void requireWithin(
      PropertyReader reader, PropertyKey key, RunConfig run, String what, Duration time) {
    if (time.compareTo(run.runDuration()) >= 0) {
      throw reader.bad(
          key,
          "less than the %s s that the run is measured: %s%d s is past their end"
              .formatted(run.runDuration().toSeconds(), what, time.toSeconds()));
    }
  }

  private static Duration period(String text) {
    Matcher matcher = PERIOD.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("a time such as 30s or 2m");
    }
    return Stage.length(Long.parseLong(matcher.group(1)), matcher.group(2));
  }
}
