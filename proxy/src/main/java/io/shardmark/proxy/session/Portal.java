package io.shardmark.proxy.session;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.ddl.OwnTables;
import io.shardmark.proxy.execution.ResultKeeper;
import io.shardmark.proxy.execution.StatementText;
import io.shardmark.proxy.execution.SuspendedResult;
import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.routing.Router;
import io.shardmark.proxy.routing.StatementPlan;
import org.jspecify.annotations.Nullable;

/** A bound statement (PG18 §54.2.3 protocol-flow-ext-query). */
final class Portal implements ResultKeeper {
  /** Where it is executed. */
  enum Place {
    /** On one server, which knows it by the client's name. */
    SERVER,
    /** By the proxy itself, perhaps on several servers. */
    PROXY
  }

  private Place place = Place.SERVER;
  private int shard;

  /** COPY ... FROM STDIN, on a server. */
  private boolean copiesIn;

  private @Nullable StatementText text;

  /** The COMMIT or ROLLBACK that it is, if it is on a server. */
  private StatementPlan.@Nullable Transaction end;

  /** Where it goes, for portals of the proxy. */
  private Router.@Nullable Routed routed;

  /** What the route was made with; null without one. */
  private OwnTables.@Nullable View tables;

  /** The whole Bind message, for portals of the proxy. */
  private @Nullable ByteBuf bind;

  /** What an Execute with a row limit has left. */
  private @Nullable SuspendedResult suspended;

  private boolean executed;

  /** How many savepoints were open at its Bind. */
  private int savepoints;

  private boolean madeInFailed;

  void onServer(int onShard, @Nullable StatementText boundText, boolean takesCopyData) {
    clear();
    place = Place.SERVER;
    shard = onShard;
    copiesIn = takesCopyData;
    text = boundText;
  }

  /** A COMMIT or ROLLBACK. */
  void endOnServer(int onShard, StatementText boundText, StatementPlan.Transaction boundEnd) {
    onServer(onShard, boundText, false);
    end = boundEnd;
  }

  /**
   * Takes ownership of the message.
   *
   * @param view what the route was made with
   */
  void onProxy(
      StatementText boundText, Router.Routed boundRoute, OwnTables.View view, ByteBuf bindMessage) {
    clear();
    tables = view;
    place = Place.PROXY;
    routed = boundRoute;
    text = boundText;
    bind = bindMessage;
  }

  /** A Bind makes it. */
  void madeIn(Transaction transaction) {
    savepoints = transaction.savepoints().size();
    madeInFailed = transaction.isFailed();
  }

  /** Whether the failure of that transaction, back to its last savepoint, was its end too. */
  boolean failsWith(Transaction transaction) {
    return !madeInFailed && savepoints >= transaction.savepoints().size();
  }

  int savepoints() {
    return savepoints;
  }

  void setSavepoints(int open) {
    savepoints = open;
  }

  Place place() {
    return place;
  }

  int shard() {
    return shard;
  }

  boolean copiesIn() {
    return copiesIn;
  }

  @Nullable StatementText text() {
    return text;
  }

  StatementPlan.@Nullable Transaction end() {
    return end;
  }

  Router.@Nullable Routed routed() {
    return routed;
  }

  @Nullable ByteBuf bind() {
    return bind;
  }

  @Override
  public @Nullable SuspendedResult suspended() {
    return suspended;
  }

  @Override
  public void keep(SuspendedResult rest) {
    suspended = rest;
  }

  void setExecuted() {
    executed = true;
  }

  /** Whether another route might be made for it now. */
  boolean isOutdated(OwnTables own) {
    return tables != null && text != null && own.haveChangedSince(tables, text.sql());
  }

  /** Whether an Execute has begun it. */
  boolean hasBegun() {
    return executed || suspended != null;
  }

  /** Whether an Execute has ended it. */
  boolean isOver() {
    return executed && suspended == null;
  }

  /** Frees what it holds; it stands for nothing then. */
  void clear() {
    if (bind != null) {
      bind.release();
      bind = null;
    }
    if (suspended != null) {
      suspended.close();
      suspended = null;
    }
    text = null;
    executed = false;
    routed = null;
    tables = null;
    end = null;
    copiesIn = false;
  }
}
