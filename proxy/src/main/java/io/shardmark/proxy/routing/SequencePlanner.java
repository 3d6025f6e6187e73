package io.shardmark.proxy.routing;

import io.shardmark.proxy.protocol.PgType;
import io.shardmark.proxy.shardmap.TableName;
import io.shardmark.proxy.sql.Analysis;
import io.shardmark.proxy.sql.Analysis.Fact;
import io.shardmark.proxy.sql.Syntax.TableItem;
import io.shardmark.proxy.sql.TokenRange;
import java.util.List;

/**
 * A sequence that is read as a table. Its numbers are dealt to the shards, so the last one that is
 * given is the furthest of theirs; while no shard has given one, the nearest is the first to come.
 */
final class SequencePlanner {
  private static final String COLUMNS = "last_value, log_cnt, is_called";

  private static final String TOGETHER =
      """
      (SELECT CASE WHEN pg_catalog.bool_or(is_called) THEN CASE WHEN pg_catalog.min(step) > 0 \
      THEN pg_catalog.max(last_value) FILTER (WHERE is_called) \
      ELSE pg_catalog.min(last_value) FILTER (WHERE is_called) END \
      WHEN pg_catalog.min(step) > 0 THEN pg_catalog.min(last_value) \
      ELSE pg_catalog.max(last_value) END AS last_value, pg_catalog.min(log_cnt) AS log_cnt, \
      pg_catalog.bool_or(is_called) AS is_called FROM \
      """;

  private SequencePlanner() {}

  /** Whether the statement reads that sequence and nothing else. */
  static boolean isAlone(Analysis analysis) {
    return analysis.sequences().size() == 1
        && analysis.instances().isEmpty()
        && analysis.fixedShards().isEmpty()
        && !analysis.referenceUsed()
        && !analysis.has(Fact.CATALOG)
        && !analysis.has(Fact.LOCKS)
        && !analysis.has(Fact.CHANGES);
  }

  /** One server computes the client's rows of those that the shards' sequences have. */
  static ScatterStrategy plan(TokenRange tokens, Analysis analysis) {
    TableItem item = analysis.sequences().get(0);
    String schema = item.schema() == null ? "" : TableName.quoted(item.schema()) + ".";
    String from = " FROM " + schema + TableName.quoted(item.name()) + " AS shardmark";
    String asked =
        "SELECT 0, last_value::pg_catalog.text, log_cnt::pg_catalog.text,"
            + " is_called::pg_catalog.text, (SELECT seqincrement::pg_catalog.text"
            + " FROM pg_catalog.pg_sequence WHERE seqrelid = shardmark.tableoid)"
            + from;
    GatheredTables.GatheredTableRows rows =
        new GatheredTables.GatheredTableRows(
            "SELECT " + COLUMNS + ", 0::pg_catalog.int8" + from + " LIMIT 0",
            "shardmark (" + COLUMNS + ", step)",
            List.of(PgType.INT8.oid(), PgType.INT8.oid(), PgType.BOOL.oid(), PgType.INT8.oid()));
    String before = tokens.sql().substring(0, tokens.at(item.from()).start());
    String after = tokens.sql().substring(tokens.at(item.to() - 1).end());
    return new ScatterStrategy.Finish(
        asked,
        new GatheredTables(
            List.of(before + TOGETHER, ") AS " + TableName.quoted(item.visibleName()) + after),
            List.of(rows)));
  }
}
