package io.shardmark.driver.verify;

import static io.shardmark.driver.verify.Condition.ConditionScope.AFTER_LOAD;
import static io.shardmark.driver.verify.Condition.ConditionScope.ALWAYS;

import io.shardmark.config.DatabaseKind;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A rule of the database's contents and the one statement that finds the rows which break it. Of
 * several shards each is asked about its own rows. Where what belongs together may lie on two, the
 * statement gives figures instead, and the rule is one of their sums over all shards.
 *
 * @param clause the benchmark's clause, such as {@code 3.3.2.1} of TPC-C 5.11
 * @param sql a query whose rows are the offenders, or the figures; key columns first; portable over
 *     PostgreSQL, Oracle, MySQL, MariaDB and Firebird
 * @param keyColumns how many columns are the key, before figures whole numbers; 0 for one row
 * @param hint what a failure may also mean; empty if nothing
 * @param weight rough cost of the statement, only used to start the expensive ones first
 * @param expected what the sums of figures must be; empty if the rows are offenders
 * @param shardSql as {@code sql}, for the figures of one of several shards
 */
public record Condition(
    String clause,
    String sentence,
    String sql,
    int keyColumns,
    ConditionScope scope,
    String hint,
    int weight,
    List<ExpectedSum> expected,
    String shardSql) {

  /** When a rule holds. */
  public enum ConditionScope {
    /** After a load and after any run. */
    ALWAYS,
    /** Only while no transaction has changed what the loader wrote. */
    AFTER_LOAD
  }

  /**
   * What a sum must be.
   *
   * @param column the figure; NULL is no sum, and breaks the rule
   * @param value another column's name, or a number
   */
  public record ExpectedSum(String column, String value) {
    /** Expects a whole number. */
    public static ExpectedSum of(String column, long value) {
      return new ExpectedSum(column, Long.toString(value));
    }
  }

  public Condition {
    expected = List.copyOf(expected);
  }

  /** Holds after a load and after any run, over the figures of all shards. */
  public static Condition ofSums(
      String clause,
      String sentence,
      int weight,
      int keyColumns,
      String sql,
      ExpectedSum... expected) {
    return new Condition(
        clause, sentence, sql, keyColumns, ALWAYS, "", weight, List.of(expected), sql);
  }

  /**
   * A table has the ids 1 to a count.
   *
   * @param id the column
   * @param why so many, as the user's keys say it
   */
  public static Condition ids(
      String clause, String table, String id, long count, String why, int weight) {
    return ofSums(
        clause,
        "%s has the ids 1 to %d (%s)".formatted(table, count, why),
        weight,
        0,
        """
        SELECT count(*) AS found,
               count(*) FILTER (WHERE %1$s BETWEEN 1 AND %3$d) AS expected_ids,
               coalesce(sum(%1$s::bigint), 0) AS sum_of_ids
          FROM %2$s
        """
            .formatted(id, table, count),
        ExpectedSum.of("found", count),
        ExpectedSum.of("expected_ids", count),
        ExpectedSum.of("sum_of_ids", count * (count + 1) / 2));
  }

  /** Holds after a load and after any run. */
  public static Condition always(
      String clause, String sentence, int weight, int keyColumns, String sql) {
    return new Condition(clause, sentence, sql, keyColumns, ALWAYS, "", weight, List.of(), sql);
  }

  /** Holds until the first transaction. */
  public static Condition afterLoad(
      String clause, String sentence, int weight, int keyColumns, String sql) {
    return new Condition(clause, sentence, sql, keyColumns, AFTER_LOAD, "", weight, List.of(), sql);
  }

  /** The same, with what a failure may also mean. */
  public Condition withHint(String text) {
    return new Condition(
        clause, sentence, sql, keyColumns, scope, text, weight, expected, shardSql);
  }

  /** The same, with fewer keys over shards, whose figures are added up here. */
  public Condition withShardSql(String query) {
    return new Condition(clause, sentence, sql, keyColumns, scope, hint, weight, expected, query);
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
        IntStream.rangeClosed(1, Math.max(1, keyColumns))
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(", ", " ORDER BY ", ""));
    String limit =
        switch (kind) {
          case MYSQL, MARIADB -> " LIMIT " + maxRows;
          case POSTGRES, FIREBIRD -> " FETCH FIRST " + maxRows + " ROWS ONLY";
          case ORACLE -> "";
        };
    return "SELECT v.*, count(*) OVER () AS offenders FROM (\n"
        + offenders()
        + ") v"
        + order
        + limit;
  }

  private String offenders() {
    return expected.isEmpty()
        ? sql
        : expected.stream()
            .map(
                sum ->
                    "CASE WHEN %s = %s THEN 0 ELSE 1 END = 1".formatted(sum.column(), sum.value()))
            .collect(
                Collectors.joining(" OR ", "SELECT * FROM (\n" + sql + ") figures WHERE ", ""));
  }
}
