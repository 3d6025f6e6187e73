package io.shardmark.loader;

import io.shardmark.loader.population.LoadUnit;
import io.shardmark.loader.population.Population;
import io.shardmark.loader.population.PopulationTable;
import io.shardmark.sql.dialect.MissingTable;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * What a database holds before a load, and whether the load may go on: only into empty tables, or
 * where a load with the same parameters was interrupted. BenchmarkSQL's loader would add a second
 * copy of all rows.
 */
final class DatabaseState {
  private final Connection connection;
  private final JournalLayout layout;
  private final LoadJournal journal;

  /**
   * @param connection without auto-commit
   */
  DatabaseState(Connection connection, JournalLayout layout) {
    this.connection = connection;
    this.layout = layout;
    journal = new LoadJournal(connection, layout);
  }

  /**
   * Finds out what to load, and creates the journal if this is a new load.
   *
   * @throws LoadException if the database holds something else; the message is one line
   */
  Start begin(Population wanted, SeedChoice seedChoice, LoadListener listener)
      throws SQLException, LoadException {
    Set<PopulationTable> filled = filledTables();
    Optional<Parameters> recorded = journal.parameters();
    if (recorded.isPresent() && filled.isEmpty() && !journal.done().isEmpty()) {
      listener.note("The tables are empty: forgetting an earlier load that was interrupted");
      journal.drop();
      recorded = Optional.empty();
    }
    if (recorded.isEmpty()) {
      forgetTruncatedLoad(filled, listener);
      refuseForeignRows(filled);
      journal.create(wanted);
      recorded = journal.parameters();
    }
    Parameters parameters =
        recorded.orElseThrow(() -> new LoadException("cannot create " + LoadJournal.TABLE));
    Parameters ours = Parameters.of(wanted);
    refuseOther(parameters, seedChoice == SeedChoice.GIVEN ? ours : ours.withSeedOf(parameters));
    BitSet done = journal.done();
    refuseLostRows(filled, done);
    return new Start(parameters.population(), done, filled.contains(PopulationTable.CONFIG));
  }

  /** Where the seed that is asked for comes from. */
  enum SeedChoice {
    /** The user named it. */
    GIVEN,
    /** It was drawn at start: that of an interrupted load is as good. */
    DRAWN
  }

  /**
   * Where a load begins.
   *
   * @param population with the load time of the interrupted load, if there was one
   * @param done units that are there already
   * @param configLoaded bmsql_config has its rows
   */
  record Start(Population population, BitSet done, boolean configLoaded) {}

  /** The step tableTruncates empties all tables but bmsql_config, as BenchmarkSQL's does. */
  private void forgetTruncatedLoad(Set<PopulationTable> filled, LoadListener listener)
      throws SQLException {
    if (filled.equals(EnumSet.of(PopulationTable.CONFIG))) {
      listener.note("The tables are empty but for bmsql_config: loading them again");
      try (Statement statement = connection.createStatement()) {
        statement.executeUpdate("delete from bmsql_config");
      }
      connection.commit();
      filled.clear();
    }
  }

  private void refuseForeignRows(Set<PopulationTable> filled) throws SQLException, LoadException {
    if (filled.contains(PopulationTable.CONFIG)) {
      throw LoadException.alreadyLoaded(loadedWarehouses());
    }
    if (!filled.isEmpty()) {
      throw new LoadException(
          "%s holds rows that this loader has not recorded; destroy or truncate before loading"
              .formatted(filled.iterator().next().tableName()));
    }
  }

  private static void refuseOther(Parameters recorded, Parameters wanted) throws LoadException {
    if (!recorded.describe().equals(wanted.describe())) {
      throw new LoadException(
          ("the database holds part of a load with %s, this one has %s;"
                  + " continue with the same values, or destroy it and start again")
              .formatted(recorded.describe(), wanted.describe()));
    }
  }

  /** The journal says that units are done: then their tables must not be empty. */
  private static void refuseLostRows(Set<PopulationTable> filled, BitSet done)
      throws LoadException {
    for (int number = done.nextSetBit(0); number >= 0; number = done.nextSetBit(number + 1)) {
      LoadUnit unit = UnitPlan.unit(number);
      for (PopulationTable table : unit.kind().tables()) {
        if (!filled.contains(table)) {
          throw new LoadException(
              "%s is empty, but %s says that rows were loaded; destroy the database and start again"
                  .formatted(table.tableName(), LoadJournal.TABLE));
        }
      }
    }
  }

  private Set<PopulationTable> filledTables() throws SQLException, LoadException {
    Set<PopulationTable> filled = EnumSet.noneOf(PopulationTable.class);
    // A limit in the text is one that an endpoint can pass on to its shards.
    String limit = layout.isSpread() ? " limit 1" : "";
    try (Statement statement = connection.createStatement()) {
      if (!layout.isSpread()) {
        statement.setMaxRows(1);
      }
      for (PopulationTable table : PopulationTable.values()) {
        String query =
            "select %s from %s%s"
                .formatted(table.columns().get(0).name(), table.tableName(), limit);
        try (ResultSet rows = statement.executeQuery(query)) {
          if (rows.next()) {
            filled.add(table);
          }
        } catch (SQLException e) {
          if (MissingTable.isCauseOf(e)) {
            throw new LoadException(
                "table %s does not exist; build creates and loads the tables: java -jar driver.jar build PROPS"
                    .formatted(table.tableName()),
                e);
          }
          throw e;
        }
      }
    } finally {
      connection.rollback();
    }
    return filled;
  }

  private String loadedWarehouses() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "select cfg_value from bmsql_config where cfg_name = 'warehouses'")) {
      return rows.next() ? rows.getString(1) : "an unknown number of";
    }
  }
}
