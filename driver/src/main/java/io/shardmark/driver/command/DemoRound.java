package io.shardmark.driver.command;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.driver.console.RunConsole;
import io.shardmark.driver.registry.Benchmarks;
import io.shardmark.driver.results.Ending;
import io.shardmark.driver.run.BenchmarkRun;
import io.shardmark.driver.run.Database;
import io.shardmark.driver.run.DatabaseBuild;
import io.shardmark.driver.verify.VerifyTable;
import java.nio.file.Path;
import java.util.Map;

/**
 * The whole round on an embedded database: build, run, verify. What {@code java -jar driver.jar}
 * does without arguments, or with a properties file whose embedded database is gone afterwards.
 */
final class DemoRound {
  private static final String PROPERTIES =
      """
      db=postgres
      conn=embedded:postgres
      warehouses=2
      loadWorkers=2
      terminals=4
      rampupMins=0.05
      runMins=0.5
      limitTxnsPerMin=0
      terminalWarehouseFixed=true
      newOrderWeight=45
      paymentWeight=43
      orderStatusWeight=4
      deliveryWeight=4
      stockLevelWeight=4
      resultDirectory=my_result_%tY-%tm-%td_%tH%tM%tS
      osCollector=local
      """;

  private DemoRound() {}

  /**
   * @return the exit status
   */
  static int run() throws Exception {
    return run(
        BenchmarkProperties.parse(
            Benchmarks.KEYS, Path.of("built-in properties"), PROPERTIES, Map.of()));
  }

  /**
   * The round with properties of an embedded database.
   *
   * @return the exit status
   */
  static int run(BenchmarkProperties properties) throws Exception {
    RunConsole console = DatabaseVerbs.newConsole();
    try (BenchmarkRun run =
            BenchmarkRun.open(properties, console, DatabaseVerbs.workingDirectory());
        Database database =
            Database.open(properties.connection(), run.connectionCount(), DatabaseVerbs::say)) {
      DatabaseVerbs.newBuild(properties, database, DatabaseBuild.Echo.STEPS)
          .build(DatabaseVerbs.dataSet(properties), properties.load());
      BenchmarkRun.Result result = run.execute(database);
      if (result.figures().run().ending() == Ending.INTERRUPTED) {
        return RunCommand.status(result);
      }
      int verified =
          VerifyTable.exitStatus(
              VerifyCommand.verify(database, DatabaseVerbs.conditions(properties)));
      System.out.println();
      System.out.println(
          "This was a demonstration on this machine. Results: "
              + result.directory().map(Path::toString).orElse("none"));
      System.out.println("Your own database: java -jar driver.jar build PROPS, then run PROPS.");
      return Math.max(RunCommand.status(result), verified);
    }
  }
}
