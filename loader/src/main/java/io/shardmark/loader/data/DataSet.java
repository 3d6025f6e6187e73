package io.shardmark.loader.data;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The rows that a benchmark starts from. Immutable, safe on any thread. */
public interface DataSet {
  /** The size in words, such as {@code 10 warehouses}. */
  String size();

  /**
   * What an interrupted load and the one that continues it must have in common in addition to the
   * seed, and what the loader's head shows: such as {@code warehouses=10}. Values have no blanks.
   */
  Map<String, String> parameters();

  /** All tables that are filled. */
  List<DataTable> tables();

  /** A table that is filled after all others, so that nothing takes a partial load for a whole. */
  default Optional<DataTable> lastTable() {
    return Optional.empty();
  }

  /** How many units the whole data set has. */
  int unitCount();

  /**
   * A unit. Those of one partition have numbers next to each other.
   *
   * @param number 0 .. {@link #unitCount} - 1, in the order of the load
   */
  LoadUnit unit(int number);

  /** The first unit of this process; the process with unit 0 fills {@link #lastTable}. */
  default int firstUnit() {
    return 0;
  }

  /** What the loader's head shows of this process' part; empty if it loads all. */
  default Map<String, String> part() {
    return Map.of();
  }

  /** One after the last unit of this process. */
  default int endUnit() {
    return unitCount();
  }

  /** About how many rows a range of units has, for the progress that is shown. */
  long expectedRows(int firstUnit, int endUnit);

  /** What the lines of a load call a partition, such as {@code Warehouse 3}. */
  String partitionName(int partition);

  /**
   * The size of what a complete load has left, in the words of {@link #size}; empty if that is not
   * known. Asked only if the tables have rows, and no journal records a load that is not complete.
   *
   * @param connection borrowed
   */
  Optional<String> loadedSize(Connection connection) throws SQLException;

  /** How the names of all its tables and indexes begin; lower case. */
  String namePrefix();

  /** A new source of rows. */
  RowSource rows(Origin origin);

  /** How the rows are spread where tables are hash partitioned by one column. */
  default Optional<Partitioning> partitioning() {
    return Optional.empty();
  }

  /**
   * By what tables are partitioned.
   *
   * @param rootTable whose partitions place a value
   * @param column what the value is called, such as {@code warehouse}
   * @param count values are 1 to this
   */
  record Partitioning(String rootTable, String column, int count) {}

  /** The table that records which units are there while a load, or its build, is not complete. */
  default String journalTable() {
    return "shardmark_load_progress";
  }
}
