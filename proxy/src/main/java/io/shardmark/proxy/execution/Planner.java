package io.shardmark.proxy.execution;

import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.SimpleStatement;
import io.shardmark.proxy.shardmap.Schemas;
import io.shardmark.proxy.shardmap.ShardMap;
import java.util.List;

/** From texts to plans. Belongs to one event loop; what it gives is immutable. */
public interface Planner {
  /**
   * The statements of a Query message, in order; none if it is empty.
   *
   * @param searchPath schemas in which unqualified names are looked up
   */
  List<SimpleStatement> simple(String text, List<String> searchPath);

  /** The statement of a Parse message. */
  PlannedStatement extended(String text, List<String> searchPath);

  /** Plans over another map, for one session; its plans are kept apart. */
  Planner over(ShardMap map);

  /** What plans are made for now. */
  ShardMap map();

  /** Which schemas there are now. */
  default Schemas schemas() {
    return map().schemas();
  }

  /** Changes whenever plans made before may be wrong. */
  default long version() {
    return map().version();
  }
}
