package io.shardmark.loader;

import io.shardmark.loader.data.DataSet;
import io.shardmark.loader.data.LoadUnit;
import io.shardmark.sql.dialect.MissingTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is recorded of a load that is not complete: a table holds the parameters of the load and a
 * row for each unit that is committed. Written in the same transactions as the rows, dropped when
 * all units are there, or when the build has made the keys as well.
 */
final class LoadJournal {
  private static final String PARAMETERS = "parameters";
  private static final String CLASS_CONSTRAINT = "23";

  private final Connection connection;
  private final JournalLayout layout;
  private @Nullable PreparedStatement mark;

  /**
   * @param connection without auto-commit
   */
  LoadJournal(Connection connection, JournalLayout layout) {
    this.connection = connection;
    this.layout = layout;
  }

  /** The parameters of the load under way, or empty if none is recorded. */
  Optional<Parameters> parameters() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "select detail from "
                    + layout.table()
                    + " where unit = '"
                    + PARAMETERS
                    + "'"
                    + layout.ofNoPartition())) {
      Optional<Parameters> found =
          rows.next() ? Optional.of(Parameters.parse(rows.getString(1))) : Optional.empty();
      connection.commit();
      return found;
    } catch (SQLException e) {
      connection.rollback();
      if (MissingTable.isCauseOf(e)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** Creates the journal. Two loaders may do so at once: one fails and then finds the other's. */
  void create(Parameters parameters) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String create : layout.creates(parameters.text())) {
        statement.executeUpdate(create);
        connection.commit();
      }
    } catch (SQLException e) {
      connection.rollback();
      // Any error: if the table is not there now, the insert below says why.
    }
    insertParameters(parameters);
  }

  private void insertParameters(Parameters parameters) throws SQLException {
    try (PreparedStatement insert = insert()) {
      insert(insert, PARAMETERS, parameters.text(), 0);
      connection.commit();
    } catch (SQLException e) {
      connection.rollback();
      if (!isDuplicateKey(e)) {
        throw e;
      }
    }
  }

  /** True if a key was there already, whatever the database. */
  private static boolean isDuplicateKey(SQLException e) {
    String state = e.getSQLState();
    return state != null && state.startsWith(CLASS_CONSTRAINT);
  }

  /** The numbers of a data set's units that are done. */
  BitSet done(DataSet data) throws SQLException {
    Set<String> names = new HashSet<>();
    try (Statement statement = connection.createStatement()) {
      if (!layout.isSpread()) {
        statement.setFetchSize(10_000);
      }
      try (ResultSet rows =
          statement.executeQuery(
              "select unit from " + layout.table() + " where unit <> '" + PARAMETERS + "'")) {
        while (rows.next()) {
          names.add(rows.getString(1).trim());
        }
      }
    }
    connection.commit();
    BitSet done = new BitSet();
    for (int number = 0; !names.isEmpty(); number++) {
      if (number == data.unitCount()) {
        throw new IllegalArgumentException("no unit " + names.iterator().next());
      }
      if (names.remove(data.unit(number).name())) {
        done.set(number);
      }
    }
    return done;
  }

  /** Notes a unit as done, in the transaction that is open. */
  void markDone(LoadUnit unit) throws SQLException {
    if (mark == null) {
      mark = insert();
    }
    insert(mark, unit.name(), "", unit.partition());
  }

  private void insert(PreparedStatement insert, String unit, String detail, int partition)
      throws SQLException {
    insert.setString(1, unit);
    insert.setString(2, detail);
    if (layout.isSpread()) {
      insert.setInt(3, partition);
    }
    insert.executeUpdate();
  }

  /** Ends the load if no unit is missing. */
  void dropIfComplete(DataSet data) throws SQLException {
    if (done(data).cardinality() == data.unitCount()) {
      drop();
    }
  }

  /** Ends the load: from now on the database counts as loaded. */
  void drop() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate("drop table " + layout.table());
      connection.commit();
    } catch (SQLException e) {
      connection.rollback();
      // Another loader saw the load complete at the same moment and was faster.
      if (!MissingTable.isCauseOf(e)) {
        throw e;
      }
    }
  }

  private PreparedStatement insert() throws SQLException {
    return connection.prepareStatement(layout.insert());
  }
}
