package io.shardmark.proxy.session;

import io.shardmark.proxy.routing.PlannedStatement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement's text and parameter types, shared by all clients of an event loop. */
final class StatementText {
  private final long id;
  private final long hash;
  private final long tables;
  private final byte[] definition;
  private final String sql;
  private final int[] typeOids;
  private @Nullable PlannedStatement planned;
  private List<String> planPath = List.of();
  private long planVersion;
  private boolean proven;

  /** Of its result, when it was new. */
  private long columns = ResultColumns.UNKNOWN;

  /** The version of the tables that its result is known to have these columns with. */
  private long checkedTables;

  private int uses;

  /**
   * @param tables version of the tables that it was prepared with
   */
  StatementText(long id, long hash, long tables, byte[] definition, String sql, int[] typeOids) {
    this.id = id;
    this.hash = hash;
    this.tables = tables;
    this.checkedTables = tables;
    this.definition = definition;
    this.sql = sql;
    this.typeOids = typeOids;
  }

  long id() {
    return id;
  }

  long hash() {
    return hash;
  }

  long tables() {
    return tables;
  }

  byte[] definition() {
    return definition;
  }

  String sql() {
    return sql;
  }

  int[] typeOids() {
    return typeOids;
  }

  /** The plan of now, for a client that looks names up there. */
  PlannedStatement planned(Planner planner, List<String> searchPath) {
    PlannedStatement known = planned;
    if (known == null
        || planVersion != planner.version()
        || (planPath != searchPath && !planPath.equals(searchPath))) {
      planVersion = planner.version();
      planPath = searchPath;
      known = planner.extended(sql, searchPath);
      planned = known;
    }
    return known;
  }

  /** Whether a server has accepted it: then a Parse of it needs no server. */
  boolean isProven() {
    return proven;
  }

  void prove() {
    proven = true;
  }

  /** The columns of its result, as {@link ResultColumns} has them. */
  long columns() {
    return columns;
  }

  /** A server has described its result, with the tables that it was made with. */
  void describe(long described) {
    columns = described;
  }

  /** With tables of that version its result is the same. */
  void checked(long version) {
    checkedTables = version;
  }

  /** Whether its result is the same with tables of that version, as far as can be known. */
  boolean isSure(long version) {
    return checkedTables == version
        || columns == ResultColumns.UNKNOWN
        || columns == ResultColumns.NONE;
  }

  void use() {
    uses++;
  }

  boolean isUnused() {
    return uses == 0;
  }

  /** One use fewer; true if it was the last. */
  boolean unuse() {
    return --uses == 0;
  }
}
