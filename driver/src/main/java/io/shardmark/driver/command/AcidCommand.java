package io.shardmark.driver.command;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConfigException;
import io.shardmark.driver.acid.AcidResult;
import io.shardmark.driver.acid.AcidTests;
import io.shardmark.driver.acid.AcidVerdict;
import io.shardmark.driver.acid.Crash;
import io.shardmark.driver.acid.PartCrash;
import io.shardmark.driver.registry.Benchmarks;
import io.shardmark.driver.run.Database;
import io.shardmark.driver.verify.Conditions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code acid}: the tests of TPC-C clause 3 on a loaded database. */
@Command(
    name = "acid",
    description = "Tests atomicity, consistency, isolation and durability (TPC-C clause 3).")
final class AcidCommand implements Callable<Integer> {
  private static final int CONNECTIONS = 12;
  private static final String RECORD = "acid-orders.csv";

  @Mixin private final PropertiesArguments arguments = new PropertiesArguments();

  @Override
  public Integer call() throws Exception {
    BenchmarkProperties properties = arguments.read();
    AcidTests tests = tests(properties);
    Conditions conditions = DatabaseVerbs.conditions(properties);
    return DatabaseVerbs.with(
        properties,
        CONNECTIONS,
        database -> {
          VerifyCommand.requireLoad(database, conditions.table());
          return test(database, conditions, tests);
        });
  }

  private static AcidTests tests(BenchmarkProperties properties) {
    return Benchmarks.of(properties)
        .acidTests(properties.values())
        .orElseThrow(
            () ->
                new ConfigException(
                    "%s: workload=%s: it has no tests of clause 3, expected tpcc"
                        .formatted(properties.source(), properties.workload())));
  }

  private static int test(Database database, Conditions conditions, AcidTests tests)
      throws Exception {
    List<AcidResult> results = new ArrayList<>();
    AcidTests.Target target =
        new AcidTests.Target(
            database.connections()::open,
            database.config().database(),
            database.shardMap().isPresent());
    tests.run(target, result -> report(result, results));
    List<Crash> crashes =
        tests.crashes().isEmpty() ? PartCrash.all(database.parts()) : tests.crashes();
    if (crashes.isEmpty()) {
      report(
          new AcidResult(
              "3.5",
              "durability",
              AcidVerdict.SKIPPED,
              "no crash command; set acid.crash and acid.restart"),
          results);
    }
    Path record = DatabaseVerbs.workingDirectory().resolve(RECORD);
    for (Crash crash : crashes) {
      report(tests.durability(target, record, crash), results);
    }
    System.out.println("3.3.2 consistency, after all of these:");
    int consistency = VerifyCommand.verify(database, conditions);
    if (count(results, AcidVerdict.PERMITTED) > 0) {
      System.out.println(
          "Permitted: the isolation level of the run promises less than clause 3.4 demands."
              + " Compare with: isolation repeatable_read");
    }
    boolean failed = results.stream().anyMatch(result -> result.verdict().isFailure());
    return failed || consistency != ExitStatus.OK ? 1 : ExitStatus.OK;
  }

  private static long count(List<AcidResult> results, AcidVerdict verdict) {
    return results.stream().filter(result -> result.verdict() == verdict).count();
  }

  private static void report(AcidResult result, List<AcidResult> results) {
    results.add(result);
    System.out.printf(
        Locale.ROOT,
        "%-9s  %-7s  %s: %s%n",
        result.verdict().label(),
        result.clause(),
        result.title(),
        result.outcome());
  }
}
