package io.shardmark.driver.run;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConfigException;
import io.shardmark.driver.acid.AcidTests;
import io.shardmark.driver.acid.Crash;
import io.shardmark.driver.acid.PartCrash;
import io.shardmark.driver.registry.Benchmarks;
import io.shardmark.driver.results.AcidResult;
import io.shardmark.driver.results.AcidVerdict;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.verify.ConditionResult;
import io.shardmark.driver.verify.Conditions;
import io.shardmark.driver.verify.EndpointVerifier;
import io.shardmark.driver.verify.Verdict;
import io.shardmark.driver.verify.Verifier;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The tests of TPC-C clause 3 on a loaded database, which nothing else uses meanwhile.
 *
 * @param lines receives one line for each result
 */
public record AcidRound(Database database, AcidTests tests, Consumer<String> lines) {
  /** Connections that it opens at once. */
  public static final int CONNECTIONS = 12;

  private static final int MOST_VERIFYING = 4;

  /**
   * Those of the benchmark that a properties file names.
   *
   * @throws ConfigException if it has none
   */
  public static AcidTests tests(BenchmarkProperties properties) {
    return Benchmarks.of(properties)
        .acidTests(properties.values())
        .orElseThrow(
            () ->
                new ConfigException(
                    "%s: workload=%s: it has no tests of clause 3, expected tpcc"
                        .formatted(properties.source(), properties.workload())));
  }

  /** Runs all of them, {@link #consistency} included. */
  List<AcidResult> run(Path record, Conditions conditions)
      throws SQLException, InterruptedException {
    List<AcidResult> results = run(record);
    add(consistency(verify(database, conditions).results()), results);
    return results;
  }

  /**
   * Tests atomicity, isolation and durability.
   *
   * @param record file of what the database acknowledged before a crash; written anew
   * @return to which the consistency can be added
   * @throws SQLException if the database cannot be read at all
   */
  public List<AcidResult> run(Path record) throws SQLException, InterruptedException {
    List<AcidResult> results = new ArrayList<>();
    AcidTests.Target target =
        new AcidTests.Target(
            database.unlimited()::open,
            database.config().database(),
            database.shardMap().isPresent());
    tests.run(target, result -> add(result, results));
    List<Crash> crashes =
        tests.crashes().isEmpty() ? PartCrash.all(database.parts()) : tests.crashes();
    if (crashes.isEmpty()) {
      add(
          new AcidResult(
              "3.5",
              "durability",
              AcidVerdict.SKIPPED,
              "no crash command; set acid.crash and acid.restart"),
          results);
    }
    for (Crash crash : crashes) {
      add(tests.durability(target, record, crash), results);
    }
    return results;
  }

  private void add(AcidResult result, List<AcidResult> results) {
    results.add(result);
    lines.accept(
        String.format(
            Locale.ROOT,
            "%-9s  %-7s  %s: %s",
            result.verdict().label(),
            result.clause(),
            result.title(),
            result.outcome()));
  }

  /** Checks the conditions of the whole database. */
  public static Verifier.Findings verify(Database database, Conditions conditions)
      throws SQLException, InterruptedException {
    return new EndpointVerifier(
            database.unlimited()::open,
            database.config().database(),
            database::shardMap,
            MOST_VERIFYING)
        .run(conditions);
  }

  /** Of all conditions the first that is broken, else the first that could not be checked. */
  public static AcidResult consistency(List<ConditionResult> results) {
    Optional<ConditionResult> broken = first(results, Verdict.FAIL);
    Optional<ConditionResult> unchecked = first(results, Verdict.ERROR);
    return new AcidResult(
        "3.3.2",
        "consistency, after all of these",
        broken.isPresent()
            ? AcidVerdict.FAIL
            : unchecked.isPresent() ? AcidVerdict.ERROR : AcidVerdict.PASS,
        broken
            .or(() -> unchecked)
            .map(one -> "%s %s: %s".formatted(one.clause(), one.sentence(), detail(one)))
            .orElse("no condition is broken"));
  }

  private static Optional<ConditionResult> first(List<ConditionResult> results, Verdict verdict) {
    return results.stream().filter(one -> one.verdict() == verdict).findFirst();
  }

  private static String detail(ConditionResult result) {
    return result.samples().isEmpty()
        ? result.reason()
        : "%s, such as %s"
            .formatted(
                Texts.plural(result.offendingRows(), "row breaks it", "rows break it"),
                result.samples().get(0));
  }
}
