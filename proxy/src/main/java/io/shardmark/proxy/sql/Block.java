package io.shardmark.proxy.sql;

import io.shardmark.proxy.sql.Syntax.Core;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An analysed query.
 *
 * @param placement of its rows
 * @param outputs its columns; {@code complete} if they are all, in their order
 * @param facts about its one SELECT; null for VALUES and set operations
 */
public record Block(
    Placement placement, List<Scope.ScopeOutput> outputs, boolean complete, @Nullable Facts facts) {

  /**
   * @param rows where the joined rows are, before they are grouped
   * @param local groups, or distinct rows, do not reach over shards
   */
  public record Facts(
      Core core, Scope scope, Placement rows, boolean grouped, boolean local, boolean windows) {}
}
