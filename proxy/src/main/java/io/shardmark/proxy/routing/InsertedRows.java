package io.shardmark.proxy.routing;

import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.sql.KeyText;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * INSERT ... SELECT whose rows may belong to other shards than those that give them: the query is
 * executed as a separate statement, and each shard is sent its rows as arrays of texts.
 *
 * @param query the statement of the query; its parameters are the client's
 * @param head of the INSERT, up to the query
 * @param tail what follows the query, "" if nothing; its parameters are numbered from $1
 * @param tailParameters for each of them the index of the client's, from 0
 * @param columns a query of the columns that get values, in their order
 * @param sharding of the target
 * @param key place of the sharding column among these columns
 * @param unified places of columns that have values in several rows, which get one type apart from
 *     the table; for each of these values, NULL left out, the index of the client's parameter that
 *     it is, or {@link #COMPUTED}
 */
public record InsertedRows(
    PlannedStatement query,
    String head,
    String tail,
    List<Integer> tailParameters,
    String columns,
    Sharding.ByColumn sharding,
    int key,
    Map<Integer, List<Integer>> unified) {
  /** Marks a value that is no parameter. */
  public static final int COMPUTED = -1;

  public InsertedRows {
    unified = Map.copyOf(unified);
    tailParameters = List.copyOf(tailParameters);
  }

  /**
   * The statement for one shard. Its parameters are those of the tail, then an array of texts for
   * each column.
   *
   * @param types of the query's columns, as SQL names them
   */
  public String text(List<String> types) {
    int first = tailParameters.size() + 1;
    String values = RowSource.list(types.size(), i -> RowSource.column(i) + "::" + types.get(i));
    String arrays =
        RowSource.list(
            types.size(), i -> "pg_catalog.unnest($" + (first + i) + "::pg_catalog.text[])");
    String names = RowSource.list(types.size(), RowSource::column);
    return "%sSELECT %s FROM ROWS FROM (%s) AS \"shardmark\" (%s) %s"
        .formatted(head, values, arrays, names, tail);
  }

  /**
   * A query of the keys as they will be stored.
   *
   * @param keys an array of their texts, as a literal
   * @param type of the query's column
   * @param stored type of the sharding column, with its modifier
   */
  public String keys(String keys, String type, String stored) {
    return "SELECT "
        + "(key::%s)::%s FROM pg_catalog.unnest(%s::pg_catalog.text[]) AS \"shardmark\" (key)"
            .formatted(type, stored, keys);
  }

  /**
   * The shard of a row. One that fits no partition fails on whichever shard gets it.
   *
   * @param text of the key as PostgreSQL shows it, or null
   * @throws KeyFormatException if it is no key
   */
  public int shardOf(@Nullable String text) {
    Object value = text == null ? null : KeyText.of(sharding.keyType(), text);
    return Math.max(0, sharding.rule().shardOf(value));
  }
}
