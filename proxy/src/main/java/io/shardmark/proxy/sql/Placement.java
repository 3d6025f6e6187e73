package io.shardmark.proxy.sql;

import io.shardmark.proxy.shardmap.Sharding;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where the rows of a table or query are, if every shard computes it from its own tables. */
public sealed interface Placement {
  /** All rows on every shard. */
  record Everywhere() implements Placement {}

  /**
   * The shards' rows together are all rows.
   *
   * @param carriers variables whose value decides, by the rule, the shard a row is on; among them
   *     variables of enclosing queries, for rows of whose shard this is computed
   * @param unlessAnchored why the shards' rows together are not the right ones, unless only rows of
   *     one shard count because a carrier belongs to an enclosing query; null if they are right
   */
  record Split(Sharding.ByColumn sharding, Set<Variable> carriers, @Nullable String unlessAnchored)
      implements Placement {

    Split because(String reason) {
      return unlessAnchored != null ? this : new Split(sharding, carriers, reason);
    }

    Split carriedBy(Set<Variable> others) {
      return new Split(sharding, others, unlessAnchored);
    }

    Split alsoCarriedBy(Set<Variable> others) {
      Set<Variable> all = new HashSet<>(carriers);
      all.addAll(others);
      return carriedBy(all);
    }

    boolean isAnchoredTo(Set<Variable> outer) {
      return carriers.stream().anyMatch(outer::contains);
    }

    boolean sameRule(Split other) {
      return sharding.rule().ofStored().equals(other.sharding.rule().ofStored())
          && sharding.keyType() == other.sharding.keyType();
    }
  }

  Placement EVERYWHERE = new Everywhere();
}
