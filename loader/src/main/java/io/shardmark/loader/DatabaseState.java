package io.shardmark.loader;

import io.shardmark.loader.data.DataSet;
import io.shardmark.loader.data.DataTable;
import io.shardmark.loader.data.Origin;
import io.shardmark.sql.dialect.MissingTable;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.BitSet;
import java.util.HashSet;
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
  private final DataSet data;

  /**
   * @param data that is to be loaded
   * @param connection without auto-commit
   */
  DatabaseState(DataSet data, Connection connection, JournalLayout layout) {
    this.data = data;
    this.connection = connection;
    this.layout = layout;
    journal = new LoadJournal(connection, layout);
  }

  /**
   * Finds out what to load, and creates the journal if this is a new load.
   *
   * @throws LoadException if the database holds something else; the message is one line
   */
  Start begin(Origin wanted, SeedChoice seedChoice, LoadListener listener)
      throws SQLException, LoadException {
    Set<DataTable> filled = filledTables();
    Optional<Parameters> recorded = journal.parameters();
    if (recorded.isPresent() && filled.isEmpty() && !journal.done(data).isEmpty()) {
      listener.note("The tables are empty: forgetting an earlier load that was interrupted");
      journal.drop();
      recorded = Optional.empty();
    }
    if (recorded.isEmpty()) {
      forgetTruncatedLoad(filled, listener);
      refuseForeignRows(filled);
      journal.create(Parameters.of(data, wanted));
      recorded = journal.parameters();
    }
    Parameters parameters =
        recorded.orElseThrow(() -> new LoadException("cannot create " + layout.table()));
    Parameters ours = Parameters.of(data, wanted);
    refuseOther(parameters, seedChoice == SeedChoice.GIVEN ? ours : ours.withSeedOf(parameters));
    BitSet done = journal.done(data);
    refuseLostRows(filled, done);
    return new Start(
        parameters.origin(), done, data.lastTable().filter(filled::contains).isPresent());
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
   * @param origin with the load time of the interrupted load, if there was one
   * @param done units that are there already
   * @param lastLoaded the table that is filled last has its rows
   */
  record Start(Origin origin, BitSet done, boolean lastLoaded) {}

  /** BenchmarkSQL's step tableTruncates empties all tables but the last one. */
  private void forgetTruncatedLoad(Set<DataTable> filled, LoadListener listener)
      throws SQLException {
    Optional<DataTable> last = data.lastTable();
    if (last.isPresent() && filled.equals(Set.of(last.get()))) {
      String table = last.get().name();
      listener.note("The tables are empty but for %s: loading them again".formatted(table));
      try (Statement statement = connection.createStatement()) {
        statement.executeUpdate("delete from " + table);
      }
      connection.commit();
      filled.clear();
    }
  }

  private void refuseForeignRows(Set<DataTable> filled) throws SQLException, LoadException {
    if (data.lastTable().filter(filled::contains).isPresent()) {
      throw LoadException.alreadyLoaded(data, data.loadedSize(connection).orElse("unknown size"));
    }
    if (!filled.isEmpty()) {
      throw new LoadException(
          "%s holds rows that this loader has not recorded; destroy or truncate before loading"
              .formatted(filled.iterator().next().name()));
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
  private void refuseLostRows(Set<DataTable> filled, BitSet done) throws LoadException {
    for (int number = done.nextSetBit(0); number >= 0; number = done.nextSetBit(number + 1)) {
      for (DataTable table : data.unit(number).tables()) {
        if (!filled.contains(table)) {
          throw new LoadException(
              "%s is empty, but %s says that rows were loaded; destroy the database and start again"
                  .formatted(table.name(), layout.table()));
        }
      }
    }
  }

  private Set<DataTable> filledTables() throws SQLException, LoadException {
    Set<DataTable> filled = new HashSet<>();
    // A limit in the text is one that an endpoint can pass on to its shards.
    String limit = layout.isSpread() ? " limit 1" : "";
    try (Statement statement = connection.createStatement()) {
      if (!layout.isSpread()) {
        statement.setMaxRows(1);
      }
      for (DataTable table : data.tables()) {
        String query =
            "select %s from %s%s".formatted(table.columns().get(0).name(), table.name(), limit);
        try (ResultSet rows = statement.executeQuery(query)) {
          if (rows.next()) {
            filled.add(table);
          }
        } catch (SQLException e) {
          if (MissingTable.isCauseOf(e)) {
            throw new LoadException(
                "table %s does not exist; build creates and loads the tables: java -jar driver.jar build PROPS"
                    .formatted(table.name()),
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
}
