package io.shardmark.proxy.session;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.ddl.OwnTables;
import io.shardmark.proxy.execution.ResultKeeper;
import io.shardmark.proxy.execution.StatementText;
import io.shardmark.proxy.execution.SuspendedResult;
import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.protocol.BindReader;
import io.shardmark.proxy.protocol.NameCache;
import io.shardmark.proxy.routing.Route;
import io.shardmark.proxy.routing.Router;
import io.shardmark.proxy.routing.StatementPlan;
import org.jspecify.annotations.Nullable;

/** A bound statement (PG18 §54.2.3 protocol-flow-ext-query). */
final class Portal implements ResultKeeper {
  /**
   * One that the proxy itself executes, perhaps on several servers. Any other is on one server,
   * which knows it by the client's name.
   *
   * @param view what the route was made with
   * @param bind the whole message; owned by the portal
   */
  record OnProxy(StatementText text, Router.Routed routed, OwnTables.View view, ByteBuf bind) {
    BindReader values(NameCache names) {
      BindReader values = new BindReader(names);
      values.read(bind, 0, bind.readableBytes());
      return values;
    }
  }

  private int shard;

  /** What its execution does, on a server. */
  private Route.Use use = Route.Use.READS;

  private @Nullable StatementText text;

  /** The COMMIT or ROLLBACK that it is, if it is on a server. */
  private StatementPlan.@Nullable Transaction end;

  private @Nullable OnProxy onProxy;

  /** What an Execute with a row limit has left. */
  private @Nullable SuspendedResult suspended;

  private boolean executed;

  /** How many savepoints were open at its Bind. */
  private int savepoints;

  private boolean madeInFailed;

  /** Which of its server's answers is that to its Bind. */
  private long bindAnswer;

  void onServer(int onShard, @Nullable StatementText boundText, Route.Use usesServer) {
    clear();
    shard = onShard;
    use = usesServer;
    text = boundText;
  }

  /** A COMMIT or ROLLBACK. */
  void endOnServer(int onShard, StatementText boundText, StatementPlan.Transaction boundEnd) {
    onServer(onShard, boundText, Route.Use.READS);
    end = boundEnd;
  }

  /** Takes ownership of its message. */
  void onProxy(OnProxy bound) {
    clear();
    onProxy = bound;
    text = bound.text();
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

  /**
   * Its Bind is sent to its server next.
   *
   * @param answer which of the server's answers will be that to it
   */
  void bindIsAnsweredBy(long answer) {
    bindAnswer = answer;
  }

  /** Whether the Bind with that answer has made it. */
  boolean isOfBind(int onShard, long answer) {
    return onProxy == null && shard == onShard && bindAnswer == answer;
  }

  int savepoints() {
    return savepoints;
  }

  void setSavepoints(int open) {
    savepoints = open;
  }

  /** Null: it is on a server. */
  @Nullable OnProxy onProxy() {
    return onProxy;
  }

  int shard() {
    return shard;
  }

  Route.Use use() {
    return use;
  }

  @Nullable StatementText text() {
    return text;
  }

  StatementPlan.@Nullable Transaction end() {
    return end;
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
    return onProxy != null && own.haveChangedSince(onProxy.view(), onProxy.text().sql());
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
    if (onProxy != null) {
      onProxy.bind().release();
      onProxy = null;
    }
    if (suspended != null) {
      suspended.close();
      suspended = null;
    }
    text = null;
    executed = false;
    end = null;
    use = Route.Use.READS;
  }
}
