package io.shardmark.driver.command;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.driver.acid.AcidTests;
import io.shardmark.driver.report.HtmlReport;
import io.shardmark.driver.results.AcidResult;
import io.shardmark.driver.results.AcidVerdict;
import io.shardmark.driver.results.SummaryFile;
import io.shardmark.driver.results.reader.ResultReader;
import io.shardmark.driver.run.AcidRound;
import io.shardmark.driver.run.Database;
import io.shardmark.driver.run.ExitStatus;
import io.shardmark.driver.verify.Conditions;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code acid}: the tests of TPC-C clause 3 on a loaded database. */
@Command(
    name = "acid",
    description = "Tests atomicity, consistency, isolation and durability (TPC-C clause 3).")
final class AcidCommand implements Callable<Integer> {
  @Mixin private final PropertiesArguments arguments = new PropertiesArguments();

  @Option(
      names = "--result",
      paramLabel = "DIR",
      description = "result directory of a run on this database: its files get the outcome")
  private @Nullable Path result;

  @Override
  public Integer call() throws Exception {
    BenchmarkProperties properties = arguments.read();
    AcidTests tests = AcidRound.tests(properties);
    if (result != null) {
      SummaryFile.require(result);
    }
    Conditions conditions = DatabaseVerbs.conditions(properties);
    return DatabaseVerbs.with(
        properties,
        AcidRound.CONNECTIONS,
        database -> {
          VerifyCommand.requireLoad(database, conditions.table());
          return test(database, conditions, tests);
        });
  }

  private int test(Database database, Conditions conditions, AcidTests tests) throws Exception {
    List<AcidResult> results =
        new AcidRound(database, tests, DatabaseVerbs::say)
            .run(DatabaseVerbs.workingDirectory().resolve(AcidResult.RECORD));
    System.out.println("3.3.2 consistency, after all of these:");
    results.add(AcidRound.consistency(VerifyCommand.verify(database, conditions)));
    if (results.stream().anyMatch(result -> result.verdict() == AcidVerdict.PERMITTED)) {
      System.out.println(
          "Permitted: the isolation level of the run promises less than clause 3.4 demands."
              + " Compare with: isolation repeatable_read");
    }
    if (result != null) {
      SummaryFile.putAcid(result, results);
      HtmlReport.write(ResultReader.read(result), result);
    }
    return AcidVerdict.worst(results).isFailure() ? ExitStatus.FAILED : ExitStatus.OK;
  }
}
