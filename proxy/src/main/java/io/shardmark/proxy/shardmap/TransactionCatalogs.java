package io.shardmark.proxy.shardmap;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The shard map as a transaction sees it that has made or changed tables. For any thread. */
public interface TransactionCatalogs {
  /**
   * What a server is asked inside the transaction: statements that leave it as it was, of which one
   * gives rows of texts.
   */
  List<String> question();

  /**
   * The map with what these servers see; the others are as they were last read.
   *
   * @param rows the answers to the question, by shard index
   */
  ShardMap map(Map<Integer, List<List<@Nullable String>>> rows);
}
