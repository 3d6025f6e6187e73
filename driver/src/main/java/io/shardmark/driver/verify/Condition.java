package io.shardmark.driver.verify;

import static io.shardmark.driver.verify.Condition.ConditionReach.DATABASE;
import static io.shardmark.driver.verify.Condition.ConditionReach.PARTITION;
import static io.shardmark.driver.verify.Condition.ConditionScope.AFTER_LOAD;
import static io.shardmark.driver.verify.Condition.ConditionScope.ALWAYS;

import io.shardmark.config.DatabaseKind;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A rule of the database's contents and the one statement that returns the rows which break it.
 *
 * @param clause the benchmark's clause, such as {@code 3.3.2.1} of TPC-C 5.11
 * @param sql a query whose rows are the offenders, key columns first; portable over PostgreSQL,
 *     Oracle, MySQL, MariaDB and Firebird
 * @param hint what a failure may also mean; empty if nothing
 * @param weight rough cost of the statement, only used to start the expensive ones first
 * @param reach whose rows the statement must see
 */
public record Condition(
    String clause,
    String sentence,
    String sql,
    int keyColumns,
    ConditionScope scope,
    String hint,
    int weight,
    ConditionReach reach) {

  /** When a rule holds. */
  public enum ConditionScope {
    /** After a load and after any run. */
    ALWAYS,
    /** Only while no transaction has changed what the loader wrote. */
    AFTER_LOAD
  }

  /** Whose rows a statement must see to be right. */
  public enum ConditionReach {
    /** Those of a partition: each shard can be asked about its own. */
    PARTITION,
    /** Those of all partitions: what belongs together may lie on two shards. */
    DATABASE
  }

  /** Holds after a load and after any run, and no shard alone can check it. */
  public static Condition overDatabase(
      String clause, String sentence, int weight, int keyColumns, String sql) {
    return new Condition(clause, sentence, sql, keyColumns, ALWAYS, "", weight, DATABASE);
  }

  /** Holds after a load and after any run; each shard can be asked about its own rows. */
  public static Condition always(
      String clause, String sentence, int weight, int keyColumns, String sql) {
    return new Condition(clause, sentence, sql, keyColumns, ALWAYS, "", weight, PARTITION);
  }

  /** Holds until the first transaction. */
  public static Condition afterLoad(
      String clause, String sentence, int weight, int keyColumns, String sql) {
    return new Condition(clause, sentence, sql, keyColumns, AFTER_LOAD, "", weight, PARTITION);
  }

  /** The same, with what a failure may also mean. */
  public Condition withHint(String text) {
    return new Condition(clause, sentence, sql, keyColumns, scope, text, weight, reach);
  }

  /** The condition among those of a benchmark, whatever statement checks it. */
  String name() {
    return clause + " " + sentence;
  }

  /**
   * The statement that is sent: the first offenders in key order, and after their columns the
   * number of all offenders. The server counts, because rows may be many, and because a fetch size
   * or a row limit in the protocol would make PostgreSQL run the plan without parallel workers.
   *
   * @param maxRows rows wanted; for Oracle, which has no row limit in SQL before 12, the caller
   *     sets it as the statement's maximum
   */
  String firstOffenders(DatabaseKind kind, int maxRows) {
    String order =
        IntStream.rangeClosed(1, keyColumns)
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(", ", " ORDER BY ", ""));
    String limit =
        switch (kind) {
          case MYSQL, MARIADB -> " LIMIT " + maxRows;
          case POSTGRES, FIREBIRD -> " FETCH FIRST " + maxRows + " ROWS ONLY";
          case ORACLE -> "";
        };
    return "SELECT v.*, count(*) OVER () AS offenders FROM (\n" + sql + ") v" + order + limit;
  }
}
