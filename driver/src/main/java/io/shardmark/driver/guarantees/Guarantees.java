package io.shardmark.driver.guarantees;

import io.shardmark.config.DatabaseKind;
import io.shardmark.driver.results.AcidVerdict;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.SystemFacts;
import io.shardmark.sql.history.Anomaly.Phenomenon;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a run's system promised to its transactions.
 *
 * @param survival what a committed one survives; empty if that is not known
 * @param because settings that leave no more
 * @param anomalies which may occur; empty if that is not known
 * @param isolation the level in force; may be empty
 * @param settings that were read, by name
 * @param acid verdicts of the tests of TPC-C clause 3, by clause and title; none if none were made
 */
public record Guarantees(
    Optional<Survival> survival,
    List<String> because,
    Optional<Set<Phenomenon>> anomalies,
    String isolation,
    Map<String, String> settings,
    Map<String, AcidVerdict> acid) {
  private static final String SURVIVES = "a committed transaction survives";

  private static final String PERMITS = "anomalies permitted";

  /** Whether two systems promise as much. */
  public enum Equality {
    EQUAL,
    NOT_EQUAL,
    /** Of one of them too little is known. */
    NOT_KNOWN;

    /** As in files and conditions: {@code not-equal}. */
    public String key() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** Those of a run; little is known if the program that wrote it read no settings. */
  public static Guarantees of(RunResult run) {
    Map<String, String> settings = new LinkedHashMap<>();
    run.database()
        .forEach(
            (name, value) -> {
              if (name.startsWith(SystemFacts.GUARANTEE)) {
                settings.put(name.substring(SystemFacts.GUARANTEE.length()), value);
              }
            });
    Map<String, AcidVerdict> acid = new LinkedHashMap<>();
    run.acid().forEach(test -> acid.put(test.clause() + " " + test.title(), test.verdict()));
    String isolation = run.configuration().text("isolation");
    return Stream.of(DatabaseKind.values())
        .filter(one -> one.propertyName().equals(run.configuration().text("db")))
        .findFirst()
        .map(kind -> of(kind, isolation, settings, acid))
        .orElseGet(
            () ->
                new Guarantees(
                    Optional.empty(), List.of(), Optional.empty(), isolation, settings, acid));
  }

  /** Those of a server with these settings; nothing is known without those that decide. */
  public static Guarantees of(DatabaseKind kind, String isolation, Map<String, String> settings) {
    return of(kind, isolation, settings, Map.of());
  }

  private static Guarantees of(
      DatabaseKind kind,
      String isolation,
      Map<String, String> settings,
      Map<String, AcidVerdict> acid) {
    Optional<Durability> durability = Durability.of(kind, settings);
    return new Guarantees(
        durability.map(Durability::survival),
        durability.map(Durability::settings).orElse(List.of()),
        durability.flatMap(known -> PermittedAnomalies.of(kind, isolation, settings)),
        isolation,
        settings,
        acid);
  }

  /** The table's rows: what they come to, then what was read. Empty if nothing was. */
  public Map<String, String> rows() {
    Map<String, String> rows = new LinkedHashMap<>();
    if (!settings.isEmpty()) {
      rows.put("A committed transaction survives", survives());
      rows.put("Isolation in force", isolation);
      rows.put("Anomalies permitted", permitted());
      Stream.of("shared_buffers", "innodb_buffer_pool_size")
          .filter(
              cache ->
                  settings.containsKey(cache) && settings.containsKey(GuaranteeFacts.DATA_SIZE))
          .forEach(
              cache ->
                  rows.put(
                      "Data against cache",
                      "%s, %s %s"
                          .formatted(
                              settings.get(GuaranteeFacts.DATA_SIZE), cache, settings.get(cache))));
      rows.putAll(settings);
    }
    return rows;
  }

  /** Those rows, and one for each test of clause 3. */
  public Map<String, String> rowsWithTests() {
    Map<String, String> rows = rows();
    acid.forEach((test, verdict) -> rows.put("TPC-C " + test, verdict.label()));
    return rows;
  }

  private String survives() {
    return survival.map(Survival::words).orElse("not known")
        + (because.isEmpty() ? "" : " (%s)".formatted(String.join(", ", because)));
  }

  private String permitted() {
    return anomalies
        .map(
            set ->
                set.isEmpty()
                    ? "none"
                    : set.stream()
                        .sorted()
                        .map(Phenomenon::label)
                        .collect(Collectors.joining(", ")))
        .orElse("not known");
  }

  /** Whether both promise the same of what is compared. */
  public Equality compared(Guarantees other) {
    if (!differences("", other, "").isEmpty()) {
      return Equality.NOT_EQUAL;
    }
    return survival.isPresent()
            && other.survival.isPresent()
            && anomalies.isPresent()
            && other.anomalies.isPresent()
        ? Equality.EQUAL
        : Equality.NOT_KNOWN;
  }

  /**
   * In what both differ, a sentence without full stop for each.
   *
   * @param name of this system
   * @param otherName of the other one
   */
  public List<String> differences(String name, Guarantees other, String otherName) {
    List<String> sentences = new ArrayList<>();
    if (survival.isPresent() && other.survival.isPresent() && !survival.equals(other.survival)) {
      sentences.add(
          "%s: with %s %s; with %s %s"
              .formatted(SURVIVES, name, survives(), otherName, other.survives()));
    }
    if (anomalies.isPresent()
        && other.anomalies.isPresent()
        && !anomalies.equals(other.anomalies)) {
      sentences.add(
          "%s: with %s %s; with %s %s"
              .formatted(PERMITS, name, permitted(), otherName, other.permitted()));
    }
    acid.forEach(
        (test, verdict) -> {
          AcidVerdict of = other.acid.getOrDefault(test, AcidVerdict.SKIPPED);
          if (EnumSet.of(verdict, of).equals(EnumSet.of(AcidVerdict.PASS, AcidVerdict.FAIL))) {
            sentences.add(
                "TPC-C %s: with %s %s; with %s %s"
                    .formatted(test, name, verdict.label(), otherName, of.label()));
          }
        });
    return sentences;
  }
}
