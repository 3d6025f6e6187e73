package io.shardmark.proxy.shardmap;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The catalogs, for transactions that make or change tables: as one sees them, and read anew when
 * it has committed. For any thread.
 */
public interface TransactionCatalogs {
  /**
   * What a server is asked inside the transaction: statements that leave it as it was, of which one
   * gives rows of texts.
   *
   * @param shard index
   */
  List<String> question(int shard);

  /**
   * The map with what these servers see; the others are as they were last read.
   *
   * @param rows the answers to the question, by shard index
   */
  ShardMap map(Map<Integer, List<List<@Nullable String>>> rows);

  /**
   * Reads the catalogs again.
   *
   * @param done runs once, on any thread, when the current map shows what was committed before, or
   *     cannot be read
   */
  void changed(Runnable done);

  /** Reads the catalogs within a second: no plan depends on the change. */
  void changedUnseen();
}
