package io.shardmark.driver.acid;

import io.shardmark.config.DatabaseKind;
import io.shardmark.driver.results.AcidResult;
import io.shardmark.driver.results.AcidVerdict;
import io.shardmark.sql.jdbc.ConnectionSource;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;

/** The tests of a benchmark on a database with a load, which nothing else uses meanwhile. */
public interface AcidTests {
  /**
   * What is tested.
   *
   * @param severalServers whether a query may be answered by another server than the last one
   */
  record Target(ConnectionSource connections, DatabaseKind database, boolean severalServers) {}

  /** The crashes that the user's keys describe; none if they describe none. */
  List<Crash> crashes();

  /**
   * Tests atomicity and isolation. A test that cannot be carried out becomes an {@link
   * AcidVerdict#ERROR}, and the next one follows.
   *
   * @param results gets each result when its test has ended
   * @throws SQLException if the database cannot be read at all
   */
  void run(Target target, Consumer<AcidResult> results) throws SQLException, InterruptedException;

  /**
   * Tests durability with one crash.
   *
   * @param record file of what the database acknowledged; written anew
   */
  AcidResult durability(Target target, Path record, Crash crash) throws InterruptedException;
}
