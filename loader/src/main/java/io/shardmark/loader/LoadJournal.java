package io.shardmark.loader;

import io.shardmark.loader.population.LoadUnit;
import io.shardmark.loader.population.Population;
import io.shardmark.sql.dialect.MissingTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.BitSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is recorded of a load that is not complete: the table {@code bmsql_load_progress} holds the
 * parameters of the load and a row for each unit that is committed. Written in the same
 * transactions as the rows, dropped when all warehouses are there.
 */
final class LoadJournal {
  static final String TABLE = "bmsql_load_progress";

  private static final String PARAMETERS = "parameters";

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
                    + TABLE
                    + " where unit = '"
                    + PARAMETERS
                    + "'"
                    + layout.ofNoWarehouse())) {
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
  void create(Population population) throws SQLException {
    Parameters parameters = Parameters.of(population);
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
      if (!Sql.isDuplicateKey(e)) {
        throw e;
      }
    }
  }

  /** The numbers of the units that are done. */
  BitSet done() throws SQLException {
    BitSet done = new BitSet();
    try (Statement statement = connection.createStatement()) {
      if (!layout.isSpread()) {
        statement.setFetchSize(10_000);
      }
      try (ResultSet rows =
          statement.executeQuery(
              "select unit from " + TABLE + " where unit <> '" + PARAMETERS + "'")) {
        while (rows.next()) {
          done.set(UnitPlan.number(parse(rows.getString(1))));
        }
      }
    }
    connection.commit();
    return done;
  }

  /** Notes a unit as done, in the transaction that is open. */
  void markDone(LoadUnit unit) throws SQLException {
    if (mark == null) {
      mark = insert();
    }
    insert(mark, text(unit), "", unit.warehouse());
  }

  private void insert(PreparedStatement insert, String unit, String detail, int warehouse)
      throws SQLException {
    insert.setString(1, unit);
    insert.setString(2, detail);
    if (layout.isSpread()) {
      insert.setInt(3, warehouse);
    }
    insert.executeUpdate();
  }

  /** Ends the load: from now on the database counts as loaded. */
  void drop() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate("drop table " + TABLE);
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

  private static String text(LoadUnit unit) {
    return "%s %d %d".formatted(unit.kind(), unit.warehouse(), unit.chunk());
  }

  private static LoadUnit parse(String text) {
    String[] parts = text.trim().split(" ", -1);
    return new LoadUnit(
        LoadUnit.Kind.valueOf(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
  }
}
