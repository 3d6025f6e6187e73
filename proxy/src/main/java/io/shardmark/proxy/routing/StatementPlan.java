package io.shardmark.proxy.routing;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the text of one statement decides about its way; the values of its parameters decide the
 * rest. Made once for a text and shard map version.
 */
public sealed interface StatementPlan {

  /** A statement that servers execute. */
  record Query(Access access, Target target, Spread spread, Set<SessionEffect> effects)
      implements StatementPlan {
    public Query {
      effects = Set.copyOf(effects);
    }
  }

  /** BEGIN, COMMIT and their kin. */
  record Transaction(Command command, String argument) implements StatementPlan {
    /**
     * The commands. {@code argument}: for BEGIN and SET_TRANSACTION the modes ("" if none), for
     * SAVEPOINT, RELEASE, ROLLBACK_TO the name, for COMMIT and ROLLBACK "" or "AND CHAIN". PREPARE
     * is PREPARE TRANSACTION, with one shard only.
     */
    public enum Command {
      BEGIN,
      COMMIT,
      ROLLBACK,
      SAVEPOINT,
      RELEASE,
      ROLLBACK_TO,
      SET_TRANSACTION,
      PREPARE
    }
  }

  /**
   * SET, SET LOCAL, RESET of a parameter, validated by a server and tracked by the session.
   *
   * @param name folded to lower case; "all" for RESET ALL
   * @param reset RESET or SET ... TO DEFAULT
   * @param local SET LOCAL
   * @param byFunction {@code SELECT set_config(...)}, which gives a row with the value
   */
  record SetParameter(String name, boolean reset, boolean local, boolean byFunction)
      implements StatementPlan {
    public SetParameter(String name, boolean reset, boolean local) {
      this(name, reset, local, false);
    }
  }

  /** SET shardmark.key = '...', SET shardmark.shard = '...', RESET of them: the route by hand. */
  record SetRoute(String name, @Nullable String value) implements StatementPlan {}

  /** SHOW SHARD MAP and other texts that the proxy itself answers with rows. */
  record ShowProxy(String topic) implements StatementPlan {}

  /** DISCARD, DEALLOCATE: the proxy's own prepared statements and parameters. */
  record Discard(Scope scope, String name) implements StatementPlan {
    /** What is dropped. DEALLOCATE ALL is STATEMENTS with the name "". */
    public enum Scope {
      ALL,
      STATEMENTS,
      PLANS,
      SEQUENCES,
      TEMP
    }
  }

  /**
   * PREPARE name AS statement.
   *
   * @param typeOids of the parameters, as far as they are declared
   */
  record Prepare(String name, List<Integer> typeOids, String sql) implements StatementPlan {
    public Prepare {
      typeOids = List.copyOf(typeOids);
    }
  }

  /**
   * EXECUTE name (literals).
   *
   * @param values in text; null: NULL
   * @param numbers which of them, from 0, are numbers with a decimal point: an integer takes them
   *     rounded, which it does not with texts
   */
  record Execute(String name, List<@Nullable String> values, Set<Integer> numbers)
      implements StatementPlan {}

  /** A statement on a cursor of SQL. */
  sealed interface Cursor extends StatementPlan {
    /** Its name; "" for CLOSE ALL. */
    String name();
  }

  /**
   * DECLARE.
   *
   * @param plain neither SCROLL nor BINARY
   * @param hold WITH HOLD
   * @param sql of the query
   */
  record DeclareCursor(String name, boolean plain, boolean hold, String sql, Query query)
      implements Cursor {}

  /**
   * FETCH or MOVE.
   *
   * @param count rows forward, 0 for the present one again, {@link #ALL}, or {@link #OTHER} for any
   *     other direction
   */
  record FetchCursor(String name, long count, boolean move) implements Cursor {
    public static final long ALL = Long.MAX_VALUE;
    public static final long OTHER = -1;
  }

  /** CLOSE, of all cursors if there is no name. */
  record CloseCursor(String name) implements Cursor {}

  /** LISTEN, NOTIFY, UNLISTEN. */
  record Notification(Signal signal, String channel) implements StatementPlan {
    /** The commands. */
    public enum Signal {
      LISTEN,
      UNLISTEN,
      NOTIFY
    }
  }

  /**
   * A change of the schema, or maintenance, on every shard it concerns.
   *
   * @param statements for each shard (by index) what to send, one statement; null: nothing there.
   *     Shards may be sent different texts, and their command tags may differ from the client's
   * @param transactional may run in a transaction block (not VACUUM, CREATE INDEX CONCURRENTLY,
   *     CREATE DATABASE and the like, which run on one shard after the other, outside)
   * @param changesMap the shard map must be read again once this is committed
   * @param unknown what depends on names that the shard map does not have, perhaps not yet
   */
  record Ddl(
      List<@Nullable String> statements, boolean transactional, boolean changesMap, Unknown unknown)
      implements StatementPlan {
    /** What names that are not in the shard map decide. */
    public enum Unknown {
      /** Nothing. */
      NOTHING,
      /** The shards that the statement goes to. */
      PLACE,
      /** Also whether it is right. */
      DEFINITION
    }
  }

  /**
   * setval of a sequence, whose values are dealt to the shards in turn. The value is what {@code
   * valueQuery} answers, routed as any query; then each shard is sent the text of {@link
   * io.shardmark.proxy.routing.ddl.SequenceDeal#query}, all in one transaction. The client gets one
   * row with one bigint named setval: the value.
   */
  record SetSequence(String sequence, String valueQuery, boolean called) implements StatementPlan {}

  /**
   * COPY ... FROM STDIN or TO STDOUT.
   *
   * @param target as for a query: Any/All for reference tables, All for a sharded table
   * @param rows how a row's key is found in COPY data; null if rows need not be looked at
   * @param fromClient FROM STDIN
   * @param reference a reference table
   * @param text of what may be on several shards
   */
  record Copy(
      boolean fromClient,
      Target target,
      @Nullable CopyRows rows,
      boolean reference,
      @Nullable CopyText text)
      implements StatementPlan {}

  /** An empty statement. */
  record Empty() implements StatementPlan {}

  /** What cannot be done right, or not here. */
  record Refused(String sqlState, String message, String hint) implements StatementPlan {}
}
