package io.shardmark.proxy.routing;

import io.shardmark.proxy.merge.MergeSpec;
import io.shardmark.proxy.shardmap.TableName;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** What is done when a statement's target turns out to be several shards. */
public sealed interface ScatterStrategy {
  /**
   * It cannot be answered right: SQLSTATE 0A000.
   *
   * @param message one sentence: what, why
   * @param hint what to write instead
   * @param knownOn the shard that alone knows a table that it names; -1: any shard says what else
   *     is wrong with it
   */
  record RefuseScatter(String message, String hint, int knownOn) implements ScatterStrategy {
    /** Of what all shards know. */
    public RefuseScatter(String message, String hint) {
      this(message, hint, -1);
    }
  }

  /**
   * Run on each, rows merged.
   *
   * @param sql what each shard is asked: the statement, perhaps with further columns at the end and
   *     with LIMIT and OFFSET changed; the parameters are the same
   * @param spec with LIMIT and OFFSET, as far as they are constants
   * @param limitParameter index from 0 of the parameter that is LIMIT, or -1
   * @param offsetParameter the same of OFFSET
   */
  record Merge(String sql, MergeSpec spec, int limitParameter, int offsetParameter)
      implements ScatterStrategy {
    Merge(String sql, MergeSpec spec) {
      this(sql, spec, -1, -1);
    }

    /** With that at the end of the text. */
    Merge endingWith(String end) {
      return new Merge(sql + end, spec, limitParameter, offsetParameter);
    }

    /** With the values of LIMIT and OFFSET for one execution; NULL is no bound. */
    Merge with(IntFunction<@Nullable Long> counts) {
      if (limitParameter < 0 && offsetParameter < 0) {
        return this;
      }
      Long limit = limitParameter < 0 ? null : counts.apply(limitParameter);
      Long offset = offsetParameter < 0 ? null : counts.apply(offsetParameter);
      return new Merge(
          sql,
          new MergeSpec(
              spec.order(),
              offset == null ? spec.offset() : offset,
              limit == null ? spec.limit() : limit,
              spec.hidden()));
    }
  }

  /**
   * One server computes the client's rows of those that each shard gives.
   *
   * @param sql what each shard is asked; it uses some of the parameters only
   * @param knownOn the shard that alone has some of the tables, and computes; -1: any does
   * @param askedThere what that shard is asked further, or ""
   */
  record Finish(String sql, LastStatement last, int knownOn, String askedThere)
      implements ScatterStrategy {
    /** Of tables that all shards have. */
    Finish(String sql, LastStatement last) {
      this(sql, last, -1, "");
    }

    String askedOn(int shard) {
      return shard == knownOn ? sql + askedThere : sql;
    }
  }

  /** The same text on each; row counts are added, rows of RETURNING follow each other. */
  record Sum() implements ScatterStrategy {}

  /**
   * The same text on each, all doing the same to a reference table; one answer is passed on.
   *
   * @param locked what must be locked against other writers before: the statement finds out by rows
   *     what to do, and another transaction may have committed on one shard and not yet on the next
   */
  record Same(List<TableName> locked) implements ScatterStrategy {
    public Same {
      locked = List.copyOf(locked);
    }

    /** Does the same whatever rows there are. */
    public Same() {
      this(List.of());
    }
  }

  /**
   * A change of a reference table that the first shard computes; the others are given its rows.
   *
   * @param locked as for {@link Same}
   */
  record Replay(ReplayedChange change, List<TableName> locked) implements ScatterStrategy {
    public Replay {
      locked = List.copyOf(locked);
    }
  }

  /** The shard that alone knows a table that the statement names; -1: there is none. */
  default int knownOn() {
    return -1;
  }

  /** Reference tables to lock on all shards before it. */
  default List<TableName> locked() {
    return List.of();
  }

  /** Whether all copies of a reference table are changed, wherever the client is. */
  default boolean changesCopies() {
    return this instanceof Same || this instanceof Replay;
  }

  /**
   * In plans for all statements of one shape: only the text with its literals says. Such a
   * statement is planned by its own text when it turns out to need several shards.
   */
  record ScatterByText() implements ScatterStrategy {}

  /** INSERT ... SELECT whose rows go to other shards than those that give them. */
  record ScatterInsert(InsertedRows rows, int knownOn) implements ScatterStrategy {
    ScatterInsert(InsertedRows rows) {
      this(rows, -1);
    }
  }

  /** INSERT ... VALUES whose rows belong to several shards. */
  record SplitRows(RowSplit split) implements ScatterStrategy {}
}
