package io.shardmark.proxy.session;

import io.shardmark.proxy.routing.PlannedStatement;

/** A statement's text and parameter types, shared by all clients of an event loop. */
final class StatementText {
  private final long id;
  private final long hash;
  private final byte[] definition;
  private final String sql;
  private final int[] typeOids;
  private PlannedStatement planned;
  private long planVersion;
  private boolean proven;
  private int uses;

  StatementText(long id, long hash, byte[] definition, String sql, int[] typeOids, Planner planner) {
    this.id = id;
    this.hash = hash;
    this.definition = definition;
    this.sql = sql;
    this.typeOids = typeOids;
    this.planVersion = planner.version();
    this.planned = planner.extended(sql);
  }

  long id() {
    return id;
  }

  long hash() {
    return hash;
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

  /** The plan of now. */
  PlannedStatement planned(Planner planner) {
    if (planVersion != planner.version()) {
      planVersion = planner.version();
      planned = planner.extended(sql);
    }
    return planned;
  }

  /** Whether a server has accepted it: then a Parse of it needs no server. */
  boolean isProven() {
    return proven;
  }

  void prove() {
    proven = true;
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
