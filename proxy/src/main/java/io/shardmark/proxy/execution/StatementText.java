package io.shardmark.proxy.execution;

import io.shardmark.proxy.pool.AnswerHandler;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.routing.PlannedStatement;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A statement's text and parameter types, with what names and types mean at one time. Shared by the
 * clients of an event loop that have prepared it while that was the same.
 */
public final class StatementText {
  private final long id;
  private final long hash;
  private final NameScope scope;
  private final byte[] definition;
  private final String sql;
  private final int[] typeOids;
  private @Nullable PlannedStatement planned;
  private List<String> planPath = List.of();
  private long planVersion;

  /** Of its result, when it was new. */
  private long columns = ResultColumns.UNKNOWN;

  /** Where its result is known to have these columns. */
  private NameScope checked;

  /** What servers said of it, by shard: {@link ResultColumns#exact}. */
  private long[] descriptions = {};

  /** A server has been asked to prepare it. */
  private boolean begun;

  public StatementText(
      TextPlace place, NameScope scope, byte[] definition, String sql, int[] typeOids) {
    this.id = place.id();
    this.hash = place.hash();
    this.scope = scope;
    this.checked = scope;
    this.definition = definition;
    this.sql = sql;
    this.typeOids = typeOids;
  }

  /**
   * Its place among others.
   *
   * @param hash of definition and search path
   */
  public record TextPlace(long id, long hash) {}

  /** Another one of the same text, for what it means now. */
  public StatementText renewed(long newId) {
    TextPlace place = new TextPlace(newId, hash);
    return new StatementText(place, scope, definition, sql, typeOids);
  }

  public long id() {
    return id;
  }

  public long hash() {
    return hash;
  }

  public NameScope scope() {
    return scope;
  }

  /** Sends its Parse to a server that has not prepared it. */
  public void prepareOn(ServerConnection server, AnswerHandler answer) {
    if (!server.dialog().isPrepared(id)) {
      server.prepare(id, definition, answer);
    }
  }

  public byte[] definition() {
    return definition;
  }

  public String sql() {
    return sql;
  }

  public int[] typeOids() {
    return typeOids;
  }

  /** The current plan, for a client that looks names up there. */
  public PlannedStatement planned(ExecutionPlanner planner, List<String> searchPath) {
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

  /** Whether no server has been asked to prepare it; it is taken for one that has from now on. */
  public boolean begin() {
    boolean first = !begun;
    begun = true;
    return first;
  }

  /** Whether that is what the shard's servers have always said of it. */
  public boolean agrees(int shard, long exact) {
    if (shard >= descriptions.length) {
      descriptions = Arrays.copyOf(descriptions, shard + 1);
    }
    if (descriptions[shard] == ResultColumns.UNKNOWN) {
      descriptions[shard] = exact;
    }
    return descriptions[shard] == exact;
  }

  /** The columns of its result, as {@link ResultColumns} has them. */
  public long columns() {
    return columns;
  }

  /** A server has described its result, with the tables that it was made with. */
  public void describe(long described) {
    columns = described;
  }

  /** There its result is the same. */
  public void checked(NameScope now) {
    checked = now;
  }

  /** Whether its result is the same there, as far as can be known. */
  public boolean isSure(NameScope now) {
    return checked.equals(now) || columns == ResultColumns.UNKNOWN || columns == ResultColumns.NONE;
  }
}
