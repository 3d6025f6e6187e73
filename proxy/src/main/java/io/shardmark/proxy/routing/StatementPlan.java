package io.shardmark.proxy.routing;

import io.shardmark.proxy.shardmap.TableName;
import io.shardmark.proxy.sql.Target;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the text of one statement decides about its way; the values of its parameters decide the
 * rest. Made once for a text and shard map version.
 */
public sealed interface StatementPlan {
  /** One method for each kind of plan that servers execute, and one for all others. */
  interface PlanVisitor<R extends @Nullable Object> {
    R query(QueryPlan query);

    R copy(Copy copy);

    R declare(DeclareCursor cursor);

    /** FETCH, MOVE, CLOSE. */
    R cursor(Cursor cursor);

    R notification(Notification notification);

    R refused(RefusedPlan refused);

    /** What the proxy does itself. */
    R local(Action action);
  }

  /** Calls the visitor's method for this kind. */
  <R extends @Nullable Object> R accept(PlanVisitor<R> visitor);

  /** Whether a server decides if the text is right. */
  default boolean needsServer() {
    return this instanceof OfServers;
  }

  /** Whether it depends on the tables that there are. */
  default boolean usesTables() {
    return this instanceof OfTables;
  }

  /** Plans whose text a server judges. */
  sealed interface OfServers extends StatementPlan {}

  /** Plans that depend on the tables that there are. */
  sealed interface OfTables extends StatementPlan {}

  /** Whether a failed transaction takes it. */
  default boolean endsFailed() {
    return false;
  }

  /** What the proxy does itself, perhaps with servers. */
  sealed interface Action extends StatementPlan {
    @Override
    default <R extends @Nullable Object> R accept(PlanVisitor<R> visitor) {
      return visitor.local(this);
    }

    /** Calls the visitor's method for this kind. */
    <R> R perform(ActionVisitor<R> visitor);
  }

  /** One method for each kind of action. */
  interface ActionVisitor<R> {
    R transaction(TransactionPlan action);

    R setParameter(SetParameter action);

    R setRoute(SetRoute action);

    R showProxy(ShowProxy action);

    R discard(Discard action);

    /** A cursor of the proxy's own. */
    R cursor(Cursor action);

    /** LISTEN, UNLISTEN: on all shards. */
    R listen(Notification action);

    R ddl(Ddl action);

    R setSequence(SetSequence action);

    R exportSnapshot(ExportSnapshot action);

    R importSnapshot(ImportSnapshot action);

    R showTransaction(ShowTransaction action);

    R askOutcome(AskOutcome action);

    R movePartition(MovePartition action);

    R empty(Empty action);
  }

  /** A statement that servers execute. */
  record QueryPlan(
      Access access, Target target, ScatterStrategy strategy, Set<SessionEffect> effects)
      implements OfServers, OfTables {
    public QueryPlan {
      effects = Set.copyOf(effects);
    }

    /** On any shard, as it is. */
    public static QueryPlan anywhere(Access access) {
      return new QueryPlan(access, new Target.Any(), new ScatterStrategy.Sum(), Set.of());
    }

    /** The same on that shard. */
    QueryPlan on(int shard) {
      return new QueryPlan(access, new Target.Fixed(shard), new ScatterStrategy.Sum(), effects);
    }

    /** The same with these effects. */
    QueryPlan with(Set<SessionEffect> others) {
      return new QueryPlan(access, target, strategy, others);
    }

    @Override
    public <R extends @Nullable Object> R accept(PlanVisitor<R> visitor) {
      return visitor.query(this);
    }
  }

  /**
   * BEGIN, COMMIT and the other commands about transactions.
   *
   * @param savepoint of SAVEPOINT, RELEASE and ROLLBACK_TO, else ""
   * @param chain COMMIT or ROLLBACK AND CHAIN
   * @param modes of BEGIN and SET_TRANSACTION, in their order
   */
  record TransactionPlan(
      TransactionPlan.TransactionVerb command,
      String savepoint,
      boolean chain,
      List<TransactionMode> modes)
      implements Action {
    /** Why PREPARE TRANSACTION and the like are refused. */
    public static final String NO_TWO_PHASE =
        "The proxy itself commits over several shards in two phases; use COMMIT.";

    public TransactionPlan(TransactionPlan.TransactionVerb command, String savepoint) {
      this(command, savepoint, false, List.of());
    }

    public TransactionPlan(TransactionPlan.TransactionVerb command, boolean chain) {
      this(command, "", chain, List.of());
    }

    public TransactionPlan(TransactionPlan.TransactionVerb command, TransactionMode... modes) {
      this(command, "", false, List.of(modes));
    }

    /**
     * The commands. PREPARE is PREPARE TRANSACTION: refused over several shards, but for a failed
     * transaction, which it rolls back.
     */
    public enum TransactionVerb {
      BEGIN,
      COMMIT,
      ROLLBACK,
      SAVEPOINT,
      RELEASE,
      ROLLBACK_TO,
      SET_TRANSACTION,
      PREPARE
    }

    @Override
    public boolean endsFailed() {
      return switch (command) {
        case COMMIT, ROLLBACK, ROLLBACK_TO, PREPARE -> true;
        case BEGIN, SAVEPOINT, RELEASE, SET_TRANSACTION -> false;
      };
    }

    /**
     * Whether it is in no transaction with what follows it, as SET TRANSACTION is like any other
     * SET.
     */
    public boolean standsApart() {
      return command != TransactionPlan.TransactionVerb.SET_TRANSACTION;
    }

    @Override
    public <R> R perform(ActionVisitor<R> visitor) {
      return visitor.transaction(this);
    }
  }

  /**
   * SET, SET LOCAL, RESET of a parameter, validated by a server and tracked by the session.
   *
   * @param name folded to lower case; "all" for RESET ALL
   * @param parameters the names of those that get a value
   * @param reset RESET or SET ... TO DEFAULT
   * @param local SET LOCAL
   * @param byFunction {@code SELECT set_config(...)}, which gives a row with the value
   */
  record SetParameter(
      String name, List<String> parameters, boolean reset, boolean local, boolean byFunction)
      implements Action {
    public SetParameter(String name, boolean reset, boolean local, boolean byFunction) {
      this(name, List.of(name), reset, local, byFunction);
    }

    public SetParameter(String name, boolean reset, boolean local) {
      this(name, reset, local, false);
    }

    /** Several at once, for the session. */
    public SetParameter(String name, List<String> parameters) {
      this(name, parameters, false, false, false);
    }

    @Override
    public <R> R perform(ActionVisitor<R> visitor) {
      return visitor.setParameter(this);
    }
  }

  /** SET shardmark.key = '...', SET shardmark.shard = '...', RESET of them: the route by hand. */
  record SetRoute(String name, @Nullable String value) implements Action {
    @Override
    public <R> R perform(ActionVisitor<R> visitor) {
      return visitor.setRoute(this);
    }
  }

  /** {@code SELECT pg_export_snapshot()}: of all shards of the transaction. */
  record ExportSnapshot() implements Action {
    @Override
    public <R> R perform(ActionVisitor<R> visitor) {
      return visitor.exportSnapshot(this);
    }
  }

  /** SET TRANSACTION SNAPSHOT. */
  record ImportSnapshot(String id) implements Action {
    @Override
    public <R> R perform(ActionVisitor<R> visitor) {
      return visitor.importSnapshot(this);
    }
  }

  /** SHOW shardmark.transaction: the identifier to ask about later. */
  record ShowTransaction() implements Action {
    @Override
    public <R> R perform(ActionVisitor<R> visitor) {
      return visitor.showTransaction(this);
    }
  }

  /** {@code SELECT shardmark.outcome('...')}: how that transaction has ended. */
  record AskOutcome(String transaction) implements Action {
    @Override
    public <R> R perform(ActionVisitor<R> visitor) {
      return visitor.askOutcome(this);
    }
  }

  /**
   * ALTER TABLE partition SET (shard = name): its rows move, and those of co-located tables.
   *
   * @param on the shard where it is
   * @param to name of the other one
   */
  record MovePartition(TableName partition, int on, String to) implements Action, OfTables {
    @Override
    public <R> R perform(ActionVisitor<R> visitor) {
      return visitor.movePartition(this);
    }
  }

  /** SHOW SHARD MAP and other texts that the proxy itself answers with rows. */
  record ShowProxy(String topic) implements Action {
    @Override
    public <R> R perform(ActionVisitor<R> visitor) {
      return visitor.showProxy(this);
    }
  }

  /** DISCARD, DEALLOCATE: the proxy's own prepared statements and parameters. */
  record Discard(DiscardScope scope, String name) implements Action {
    /** What is dropped. DEALLOCATE ALL is STATEMENTS with the name "". */
    public enum DiscardScope {
      ALL,
      STATEMENTS,
      PLANS,
      SEQUENCES,
      TEMP
    }

    @Override
    public <R> R perform(ActionVisitor<R> visitor) {
      return visitor.discard(this);
    }
  }

  /** FETCH, MOVE, CLOSE: the proxy's own business if the cursor is. */
  sealed interface Cursor extends Action, OfServers {
    /** Its name; "" for CLOSE ALL. */
    String name();

    @Override
    default <R extends @Nullable Object> R accept(PlanVisitor<R> visitor) {
      return visitor.cursor(this);
    }

    @Override
    default <R> R perform(ActionVisitor<R> visitor) {
      return visitor.cursor(this);
    }
  }

  /**
   * DECLARE.
   *
   * @param plain neither SCROLL nor BINARY
   * @param hold WITH HOLD
   * @param sql of the query
   */
  record DeclareCursor(String name, boolean plain, boolean hold, String sql, QueryPlan query)
      implements OfServers, OfTables {
    /** What it leaves on its server connection. */
    Set<SessionEffect> effects() {
      Set<SessionEffect> effects = new HashSet<>(query.effects());
      if (hold) {
        effects.add(SessionEffect.PINS_IF_COMMITTED);
      }
      return effects;
    }

    @Override
    public <R extends @Nullable Object> R accept(PlanVisitor<R> visitor) {
      return visitor.declare(this);
    }
  }

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
  record Notification(Signal signal, String channel) implements Action, OfServers {
    /** The commands. */
    public enum Signal {
      LISTEN,
      UNLISTEN,
      NOTIFY
    }

    @Override
    public <R extends @Nullable Object> R accept(PlanVisitor<R> visitor) {
      return visitor.notification(this);
    }

    @Override
    public <R> R perform(ActionVisitor<R> visitor) {
      return visitor.listen(this);
    }
  }

  /**
   * A change of the schema, or maintenance, on every shard it concerns.
   *
   * @param statements for each shard (by index) what to send, one statement; null: nothing there.
   *     Shards may be sent different texts
   * @param shown the shard whose command tag and notices the client gets, or {@link #FIRST}
   * @param transactional runs in a transaction over all shards. Else (VACUUM, REINDEX, CREATE INDEX
   *     CONCURRENTLY, CREATE DATABASE and the like) each shard runs it for itself, outside of a
   *     transaction block unless the client has begun one, in which servers may refuse it
   * @param changesMap the shard map must be read again once this is committed
   * @param unknown what depends on names that the shard map does not have, perhaps not yet
   * @param changed names, without schema, of the tables whose place or columns it changes
   * @param changesOthers it may change those of tables too that it does not name
   * @param refilled what each shard has computed for itself in the rows of a reference table: the
   *     first shard's values replace the others'
   */
  record Ddl(
      List<@Nullable String> statements,
      int shown,
      boolean transactional,
      boolean changesMap,
      Unknown unknown,
      Set<String> changed,
      boolean changesOthers,
      List<ReplayedChange> refilled)
      implements Action {
    /** {@link #shown} where all shards execute the same. */
    public static final int FIRST = -1;

    /** What names that are not in the shard map decide. */
    public enum Unknown {
      /** Nothing. */
      NOTHING,
      /** The shards that the statement goes to. */
      PLACE,
      /** Also whether it is right. */
      DEFINITION
    }

    /** The same with these texts. */
    Ddl with(List<@Nullable String> texts) {
      return new Ddl(
          Collections.unmodifiableList(texts),
          shown,
          transactional,
          changesMap,
          unknown,
          changed,
          changesOthers,
          refilled);
    }

    @Override
    public <R> R perform(ActionVisitor<R> visitor) {
      return visitor.ddl(this);
    }
  }

  /**
   * setval of a sequence, whose values are dealt to the shards in turn. The value is what {@code
   * valueQuery} answers, routed as any query; then each shard is sent the text of {@link
   * io.shardmark.proxy.routing.ddl.SequenceDeal#query}, all in one transaction. The client gets one
   * row with one bigint: the value.
   *
   * @param sequence an expression of type regclass, which means the same on every shard
   * @param called true or false; "" if the value has it at its end
   * @param otherwise the value in the place of NULL, "" for NULL itself
   * @param label of the column that the client gets
   */
  record SetSequence(
      String sequence, String valueQuery, String called, String otherwise, String label)
      implements Action, OfServers, OfTables {
    /** With the name that the value query gave; null: NULL. */
    public SetSequence of(@Nullable String name) {
      String text = name == null ? "null" : "'" + name.replace("'", "''") + "'";
      return new SetSequence(text + "::pg_catalog.regclass", valueQuery, called, otherwise, label);
    }

    @Override
    public <R> R perform(ActionVisitor<R> visitor) {
      return visitor.setSequence(this);
    }
  }

  /**
   * COPY ... FROM STDIN or TO STDOUT.
   *
   * @param target as for a query: Any/All for reference tables, All for a sharded table
   * @param rows how a row's key is found in COPY data; null if rows need not be looked at
   * @param fromClient FROM STDIN
   * @param reference a reference table
   * @param text of what may be on several shards
   * @param effects of a query
   * @param replayed the rows as the first shard has them, which computes what the data leave out;
   *     null: all shards take the data
   */
  record Copy(
      boolean fromClient,
      Target target,
      @Nullable CopyRows rows,
      boolean reference,
      @Nullable CopyText text,
      Set<SessionEffect> effects,
      @Nullable ReplayedChange replayed)
      implements OfServers, OfTables {
    Copy(
        boolean fromClient,
        Target target,
        @Nullable CopyRows rows,
        boolean reference,
        @Nullable CopyText text) {
      this(fromClient, target, rows, reference, text, Set.of(), null);
    }

    @Override
    public <R extends @Nullable Object> R accept(PlanVisitor<R> visitor) {
      return visitor.copy(this);
    }
  }

  /** An empty statement. */
  record Empty() implements Action {
    @Override
    public <R> R perform(ActionVisitor<R> visitor) {
      return visitor.empty(this);
    }
  }

  /** What cannot be done right, or not here: SQLSTATE 0A000. */
  record RefusedPlan(String message, String hint) implements OfTables {
    @Override
    public <R extends @Nullable Object> R accept(PlanVisitor<R> visitor) {
      return visitor.refused(this);
    }
  }
}
