package io.shardmark.proxy.session;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.ddl.OwnTables;
import io.shardmark.proxy.execution.StatementText;
import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.protocol.BindReader;
import io.shardmark.proxy.protocol.NameCache;
import io.shardmark.proxy.routing.Route.FunctionUse;
import io.shardmark.proxy.routing.Router;
import io.shardmark.proxy.routing.StatementPlan.TransactionPlan;
import org.jspecify.annotations.Nullable;

/** A bound statement (PG18 §54.2.3 protocol-flow-ext-query): each Bind makes another one. */
sealed interface Portal {
  /**
   * Where in its transaction a portal was made.
   *
   * @param savepoints how many were open
   * @param failed the transaction had failed
   */
  record Origin(int savepoints, boolean failed) {
    private static final Origin PLAIN = new Origin(0, false);

    static Origin in(Transaction transaction) {
      int open = transaction.savepoints().size();
      return open == 0 && !transaction.isFailed()
          ? PLAIN
          : new Origin(open, transaction.isFailed());
    }
  }

  /** A portal of a server, which knows it by the client's name. */
  sealed interface OfServer extends Portal {
    int shard();

    /** Which of its server's answers is that to its Bind. */
    long bindAnswer();
  }

  /**
   * One that a server executes.
   *
   * @param text null if DECLARE has made it
   * @param use what its execution does
   */
  record OnServer(
      int shard, @Nullable StatementText text, FunctionUse use, long bindAnswer, Origin origin)
      implements OfServer {
    /** Of a cursor that DECLARE has made there. */
    static OnServer declared(int shard) {
      return new OnServer(shard, null, FunctionUse.READS, -1, Origin.PLAIN);
    }

    @Override
    public OnServer since(Origin other) {
      return new OnServer(shard, text, use, bindAnswer, other);
    }
  }

  /** COMMIT or ROLLBACK, which a server executes. */
  record EndOnServer(
      int shard, StatementText text, TransactionPlan end, long bindAnswer, Origin origin)
      implements OfServer {
    @Override
    public EndOnServer since(Origin other) {
      return new EndOnServer(shard, text, end, bindAnswer, other);
    }
  }

  /**
   * One that the proxy itself executes, perhaps on several servers.
   *
   * @param view what the route was made with
   * @param bind the whole message; owned by the portal
   */
  record OnProxy(
      StatementText text,
      Router.Routed routed,
      OwnTables.View view,
      ByteBuf bind,
      PortalResult result,
      Origin origin)
      implements Portal {
    BindReader values(NameCache names) {
      BindReader values = new BindReader(names);
      values.read(bind, 0, bind.readableBytes());
      return values;
    }

    /** Whether another route might be made for it now. */
    boolean isOutdated(OwnTables own) {
      return own.haveChangedSince(view, text.sql());
    }

    @Override
    public OnProxy since(Origin other) {
      return new OnProxy(text, routed, view, bind, result, other);
    }

    @Override
    public void close() {
      bind.release();
      result.close();
    }
  }

  @Nullable StatementText text();

  Origin origin();

  /** The same portal, made elsewhere in its transaction. */
  Portal since(Origin other);

  /** Whether the failure of that transaction, back to its last savepoint, was its end too. */
  default boolean failsWith(Transaction transaction) {
    return !origin().failed() && origin().savepoints() >= transaction.savepoints().size();
  }

  /** Frees what it holds. Once, by {@link ClientPortals}. */
  default void close() {}
}
