package io.shardmark.proxy.routing;

import io.shardmark.proxy.merge.MergeSpec;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where one execution of a statement goes: made once by {@link Router}, of the statement and its
 * values. Who carries it out looks at neither of them again.
 */
public sealed interface Route {
  /** The statement as it is, on one shard: it is passed on, and so is the answer. */
  sealed interface Forwarded extends Route {
    FunctionUse use();

    /** The shard, of which {@code any} chooses one if there is a choice. */
    int shard(Choice any);

    @Override
    default <R extends @Nullable Object> R accept(RouteVisitor<R> visitor) {
      return visitor.forwarded(this);
    }
  }

  /** Chooses a shard for what several can answer. */
  interface Choice {
    /** Where the client already is, or the next in turn. */
    int anyShard();

    /** The first that can be reached. */
    int firstShard();
  }

  /** On that shard. */
  record OneShard(int shard, FunctionUse use) implements Forwarded {
    @Override
    public int shard(Choice any) {
      return shard;
    }
  }

  /**
   * On whichever shard.
   *
   * @param first always the same one, the first that can be reached
   */
  record AnyShard(boolean first, FunctionUse use) implements Forwarded {
    @Override
    public int shard(Choice any) {
      return first ? any.firstShard() : any.anyShard();
    }
  }

  /**
   * On several shards at once, answered as one.
   *
   * @param strategy how; of a merge with LIMIT and OFFSET known
   * @param shares what each shard is asked, by shard
   */
  record Several(Access access, ScatterStrategy strategy, List<Share> shares) implements Route {
    public Several {
      shares = List.copyOf(shares);
    }

    /** The shards, ascending. */
    public List<Integer> shards() {
      return shares.stream().map(Share::shard).toList();
    }

    @Override
    public <R extends @Nullable Object> R accept(RouteVisitor<R> visitor) {
      return visitor.several(this);
    }
  }

  /** A cursor that the proxy makes. */
  record SeveralForCursor(StatementPlan.DeclareCursor cursor, Several rows) implements Route {
    @Override
    public <R extends @Nullable Object> R accept(RouteVisitor<R> visitor) {
      return visitor.severalForCursor(this);
    }
  }

  /**
   * INSERT of the rows of a query, each on its own shard.
   *
   * @param query the route of the query: {@link Forwarded} or {@link Several}
   */
  record InsertByRow(InsertedRows rows, Route query) implements Route {
    /** The query's route as one over several shards, also if there is one only. */
    public Several source(Choice any) {
      if (query instanceof Several several) {
        return several;
      }
      if (!(query instanceof Forwarded one)) {
        throw new IllegalStateException("a query without shards: " + query);
      }
      Share share = new Share(one.shard(any), rows.query().sql(), null);
      return new Several(
          one.use().written() ? Access.WRITE : Access.READ,
          new ScatterStrategy.Merge(share.sql(), MergeSpec.CONCATENATION),
          List.of(share));
    }

    @Override
    public <R extends @Nullable Object> R accept(RouteVisitor<R> visitor) {
      return visitor.insertByRow(this);
    }
  }

  /** COPY over several shards: the proxy deals out its data, or puts it together. */
  record CopyData(StatementPlan.Copy copy, List<Integer> shards) implements Route {
    public CopyData {
      shards = List.copyOf(shards);
    }

    @Override
    public <R extends @Nullable Object> R accept(RouteVisitor<R> visitor) {
      return visitor.copyData(this);
    }
  }

  /** What the proxy does itself. */
  record Local(StatementPlan.Action action) implements Route {
    @Override
    public <R extends @Nullable Object> R accept(RouteVisitor<R> visitor) {
      return visitor.local(this);
    }
  }

  /**
   * What cannot be done right, or PostgreSQL would refuse as well.
   *
   * @param knownOn as {@link ScatterStrategy.Refuse} has it
   */
  record RefusedRoute(String sqlState, String message, String hint, Stage stage, int knownOn)
      implements Route {
    /** Of what all shards know. */
    RefusedRoute(String sqlState, String message, String hint, Stage stage) {
      this(sqlState, message, hint, stage, -1);
    }

    /** When the client learns it. */
    public enum Stage {
      /** Before any server is asked. */
      AT_ONCE,
      /** After a server has been asked what else is wrong with the statement. */
      AFTER_PARSE,
      /** After that too, and in the extended protocol in the answer to its Execute. */
      AT_EXECUTE
    }

    @Override
    public <R extends @Nullable Object> R accept(RouteVisitor<R> visitor) {
      return visitor.refused(this);
    }
  }

  /** One method for each kind of route. */
  interface RouteVisitor<R extends @Nullable Object> {
    R forwarded(Forwarded route);

    R several(Several route);

    R severalForCursor(SeveralForCursor route);

    R insertByRow(InsertByRow route);

    R copyData(CopyData route);

    R local(Local route);

    R refused(RefusedRoute route);
  }

  /** Calls the visitor's method for this kind. */
  <R extends @Nullable Object> R accept(RouteVisitor<R> visitor);

  /**
   * What a statement that is passed on does to the server connection.
   *
   * @param kind what it counts as
   * @param access what it may do to rows there, and whether it locks
   * @param effects what it leaves there for this client alone
   * @param cursor what it opens there, or null
   * @param prepares the name that PREPARE in SQL gives a statement there, or null
   * @param copiesIn COPY ... FROM STDIN: what the client sends after it belongs to it
   */
  record FunctionUse(
      UseKind kind,
      Access access,
      Set<SessionEffect> effects,
      StatementPlan.@Nullable DeclareCursor cursor,
      @Nullable String prepares,
      boolean copiesIn) {
    /** Kinds of statements that are passed on. */
    public enum UseKind {
      QUERY,
      COPY
    }

    /** Leaves no state. */
    public static final FunctionUse READS =
        new FunctionUse(UseKind.QUERY, Access.READ, Set.of(), null, null, false);

    private static final FunctionUse KEEPS_STATE =
        new FunctionUse(UseKind.QUERY, Access.STATE, Set.of(), null, null, false);

    private static final FunctionUse LOCKS =
        new FunctionUse(UseKind.QUERY, Access.LOCK, Set.of(), null, null, false);

    private static final FunctionUse WRITES =
        new FunctionUse(UseKind.QUERY, Access.WRITE, Set.of(), null, null, false);

    /** It is sent with the commit. */
    static final FunctionUse NOTIFIES =
        new FunctionUse(
            UseKind.QUERY, Access.WRITE, Set.of(SessionEffect.NOTIFIES), null, null, false);

    /** LISTEN binds the client to its connection. */
    static final FunctionUse LISTENS =
        new FunctionUse(
            UseKind.QUERY, Access.READ, Set.of(SessionEffect.PINS_IF_COMMITTED), null, null, false);

    /** Whether nothing but its answer comes of its execution. */
    public boolean isPlain() {
      return effects.isEmpty() && cursor == null && prepares == null && !copiesIn;
    }

    /** Whether the transaction has written there. */
    public boolean written() {
      return access == Access.WRITE;
    }

    /** Whether others may wait there until the transaction ends. */
    public boolean locks() {
      return access == Access.LOCK || has(SessionEffect.LOCKS);
    }

    /** Whether it has that effect. */
    public boolean has(SessionEffect effect) {
      return effects.contains(effect);
    }

    /** Whether its answer depends on what the client did before on the same connection. */
    public boolean readsSequences() {
      return effects.contains(SessionEffect.READS_SEQUENCES);
    }

    /** Whether it may have changed settings where nobody sees it. */
    public boolean maySet() {
      return effects.contains(SessionEffect.MAY_SET);
    }

    FunctionUse copyingIn() {
      return new FunctionUse(kind, access, effects, cursor, prepares, true);
    }

    FunctionUse preparing(String name) {
      return new FunctionUse(kind, access, effects, cursor, name, copiesIn);
    }

    static FunctionUse of(StatementPlan.QueryPlan query) {
      Access access = query.access();
      if (!query.effects().isEmpty()) {
        return new FunctionUse(UseKind.QUERY, access, query.effects(), null, null, false);
      }
      return switch (access) {
        case READ -> READS;
        case STATE -> KEEPS_STATE;
        case LOCK -> LOCKS;
        case WRITE -> WRITES;
      };
    }
  }

  /**
   * One shard's part of a statement on several.
   *
   * @param sql what it is asked
   * @param parameters for each parameter of {@code sql} the index of the client's, from 0; null:
   *     all of the client's, as they are
   */
  record Share(int shard, String sql, @Nullable List<Integer> parameters) {}
}
