package io.shardmark.driver.command;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConfigException;
import io.shardmark.config.FirstLine;
import io.shardmark.driver.run.AcidRound;
import io.shardmark.driver.run.Database;
import io.shardmark.driver.verify.ConditionResult;
import io.shardmark.driver.verify.Conditions;
import io.shardmark.driver.verify.Verifier;
import io.shardmark.driver.verify.VerifyTable;
import io.shardmark.sql.dialect.MissingTable;
import io.shardmark.sql.jdbc.FirstValue;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code verify}: the benchmark's conditions over the whole database. */
@Command(
    name = "verify",
    description =
        "Checks the consistency conditions of the benchmark (TPC-C 3.3.2) and its population.")
final class VerifyCommand implements Callable<Integer> {
  private static final int MOST_CONNECTIONS = 4;

  @Mixin private final PropertiesArguments arguments = new PropertiesArguments();

  @Override
  public Integer call() throws Exception {
    BenchmarkProperties properties = arguments.read();
    Conditions conditions = DatabaseVerbs.conditions(properties);
    return DatabaseVerbs.with(
        properties,
        MOST_CONNECTIONS,
        database -> {
          requireLoad(database, conditions.table());
          return VerifyTable.exitStatus(verify(database, conditions));
        });
  }

  /** One line instead of an error for each condition. */
  static void requireLoad(Database database, String table) {
    try (Connection connection = database.connections().open()) {
      FirstValue.number(connection, "SELECT count(*) FROM " + table);
    } catch (SQLException e) {
      throw new ConfigException(
          "there is nothing to verify, %s cannot be read: %s%s"
              .formatted(
                  table,
                  FirstLine.of(e).replaceFirst("^ERROR: ", ""),
                  MissingTable.isCauseOf(e)
                      ? "; build makes and loads the tables: java -jar driver.jar build PROPS"
                      : ""));
    }
  }

  /** Checks a database and prints the table of conditions. */
  static List<ConditionResult> verify(Database database, Conditions conditions)
      throws SQLException, InterruptedException {
    Verifier.Findings findings = AcidRound.verify(database, conditions);
    List<ConditionResult> results = findings.results();
    VerifyTable.print(results, System.out);
    try (Connection connection = database.connections().open()) {
      conditions.remarks(connection).forEach(System.out::println);
    }
    if (!findings.oneSnapshot() && !findings.failed().isEmpty()) {
      System.out.println(
          "The conditions were read at different instants: what ran meanwhile may have broken some.");
    }
    return results;
  }
}
