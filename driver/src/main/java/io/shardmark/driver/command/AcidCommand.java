package io.shardmark.driver.command;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConfigException;
import io.shardmark.config.PropertyReader;
import io.shardmark.config.tpcc.TpccKey;
import io.shardmark.driver.acid.AcidResult;
import io.shardmark.driver.acid.AcidTests;
import io.shardmark.driver.acid.AcidVerdict;
import io.shardmark.driver.acid.CommandCrash;
import io.shardmark.driver.acid.Crash;
import io.shardmark.driver.acid.DurabilityTest;
import io.shardmark.driver.acid.PartCrash;
import io.shardmark.driver.run.Database;
import io.shardmark.driver.verify.Conditions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
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
    if (!properties.workload().equals("tpcc")) {
      throw new ConfigException(
          "%s: workload=%s: acid tests the transactions of tpcc, expected tpcc"
              .formatted(properties.source(), properties.workload()));
    }
    PropertyReader values = properties.values();
    int orders = values.integer(TpccKey.ACID_ORDERS);
    List<Crash> ofUser = crashOfUser(values);
    Conditions conditions = DatabaseVerbs.conditions(properties);
    return DatabaseVerbs.with(
        properties,
        CONNECTIONS,
        database -> {
          VerifyCommand.requireLoad(database, conditions.table());
          return test(database, conditions, ofUser, orders);
        });
  }

  private static List<Crash> crashOfUser(PropertyReader values) {
    if (!values.has(TpccKey.ACID_CRASH)) {
      return List.of();
    }
    return List.of(
        new CommandCrash(
            values.required(TpccKey.ACID_CRASH, "a command"),
            values.required(TpccKey.ACID_RESTART, "a command that starts the system again")));
  }

  private static int test(Database database, Conditions conditions, List<Crash> ofUser, int orders)
      throws Exception {
    List<AcidResult> results = new ArrayList<>();
    new AcidTests(
            database.connections()::open,
            database.config().database(),
            new SplittableRandom(),
            result -> report(result, results))
        .run();
    List<Crash> crashes = ofUser.isEmpty() ? PartCrash.all(database.parts()) : ofUser;
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
    DurabilityTest durability =
        new DurabilityTest(
            database.connections()::open,
            database.config().database(),
            database.shardMap().isPresent(),
            orders,
            record);
    for (Crash crash : crashes) {
      report(durability.run(crash), results);
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
