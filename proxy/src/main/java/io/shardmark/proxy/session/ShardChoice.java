package io.shardmark.proxy.session;

import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.Access;
import io.shardmark.proxy.routing.KeyExpression;
import io.shardmark.proxy.routing.KeyFormatException;
import io.shardmark.proxy.routing.ParameterSource;
import io.shardmark.proxy.routing.Spread;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.routing.Target;
import io.shardmark.proxy.shardmap.PartitionRule;
import io.shardmark.proxy.shardmap.Sharding;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** From a statement's target and parameters to the shards of one execution. */
final class ShardChoice {
  /** Whichever. */
  static final int ANY = -1;

  /** More than one: see {@link #shards}. */
  static final int SEVERAL = -2;

  private final ClientSession session;
  private final int shardCount;

  ShardChoice(ClientSession session) {
    this.session = session;
    this.shardCount = session.context().shardCount();
  }

  /** The shard of a query, {@link #ANY} or {@link #SEVERAL}. */
  int shard(StatementPlan.Query query, ParameterSource values) {
    if (session.routedShard() >= 0 && shardCount > 1 && isOnEveryShard(query)) {
      return SEVERAL; // on the shard given by hand alone the copies would differ
    }
    return shard(query.target(), values);
  }

  private static boolean isOnEveryShard(StatementPlan.Query query) {
    return query.access() == Access.WRITE && query.spread() instanceof Spread.Same;
  }

  /** The shard of a target, {@link #ANY} or {@link #SEVERAL}. */
  int shard(Target target, ParameterSource values) {
    if (shardCount == 1) {
      return 0;
    }
    if (target instanceof Target.Fixed fixed) {
      return fixed.shard();
    }
    if (session.routedShard() >= 0) {
      return session.routedShard();
    }
    if (target instanceof Target.Any) {
      return ANY;
    }
    if (target instanceof Target.First) {
      return session.links().reachable(0);
    }
    if (target instanceof Target.Keys keys) {
      int only = onlyKey(keys, values);
      if (only != SEVERAL) {
        return only;
      }
      BitSet shards = shards(keys, values);
      return switch (shards.cardinality()) {
        case 0 -> ANY;
        case 1 -> shards.nextSetBit(0);
        default -> SEVERAL;
      };
    }
    return SEVERAL;
  }

  /** The usual case: one table, one value. */
  private static int onlyKey(Target.Keys keys, ParameterSource values) {
    if (keys.sets().size() != 1) {
      return SEVERAL;
    }
    Target.KeySet set = keys.sets().get(0);
    if (set.values().size() != 1 || set.values().get(0) instanceof KeyExpression.ArrayParameter) {
      return SEVERAL;
    }
    int shard = shardOf(set.sharding(), set.values().get(0), values);
    return shard == PartitionRule.NO_PARTITION ? ANY : shard;
  }

  /** Where a row with that key is. */
  static int shardOf(Sharding.ByColumn sharding, KeyExpression key, ParameterSource values) {
    return sharding.rule().shardOf(value(sharding, key, values));
  }

  private static @Nullable Object value(
      Sharding.ByColumn sharding, KeyExpression key, ParameterSource values) {
    if (key instanceof KeyExpression.Constant constant) {
      return constant.value();
    }
    if (key instanceof KeyExpression.Parameter parameter) {
      try {
        return values.value(parameter.index(), sharding.keyType());
      } catch (KeyFormatException e) {
        throw unreadable(e);
      }
    }
    throw new IllegalArgumentException("no single value: " + key);
  }

  private static StatementException unreadable(KeyFormatException e) {
    SqlState state =
        e.isPerhapsValid() ? SqlState.FEATURE_NOT_SUPPORTED : SqlState.INVALID_TEXT_REPRESENTATION;
    return new StatementException(state, String.valueOf(e.getMessage()));
  }

  /** The shard that SET shardmark.shard or shardmark.key names, or -1 for none. */
  static int byHand(ClientSession session, String name, @Nullable String value) {
    if (value == null || value.isEmpty()) {
      return -1;
    }
    if (name.endsWith("shard")) {
      int shard = session.context().pools().shardNames().indexOf(value);
      if (shard < 0) {
        throw new StatementException(
            SqlState.INVALID_PARAMETER_VALUE, "there is no shard \"" + value + "\"");
      }
      return shard;
    }
    int shard = session.planner().shardOfKey(value);
    if (shard < 0) {
      throw new StatementException(
          SqlState.INVALID_PARAMETER_VALUE,
          "key \"" + value + "\" does not lead to one shard",
          "Tables are sharded in different ways: use shardmark.shard.");
    }
    return shard;
  }

  /** The shards that a statement goes to: those of its target, or one for any. */
  List<Integer> shardsOf(Target target, ParameterSource values) {
    int shard = shard(target, values);
    return switch (shard) {
      case SEVERAL -> shards(target, values);
      case ANY -> List.of(anyShard());
      default -> List.of(shard);
    };
  }

  /** All shards that a target means. */
  List<Integer> shards(Target target, ParameterSource values) {
    BitSet shards = new BitSet(shardCount);
    if (target instanceof Target.Keys keys) {
      shards = shards(keys, values);
    } else {
      shards.set(0, shardCount);
    }
    List<Integer> list = new ArrayList<>(shardCount);
    shards.stream().forEach(list::add);
    return list;
  }

  private static BitSet shards(Target.Keys keys, ParameterSource values) {
    BitSet shards = new BitSet();
    for (Target.KeySet set : keys.sets()) {
      for (KeyExpression key : set.values()) {
        if (key instanceof KeyExpression.ArrayParameter array) {
          addElements(set.sharding(), array, values, shards);
        } else {
          add(shardOf(set.sharding(), key, values), shards);
        }
      }
    }
    return shards;
  }

  private static void addElements(
      Sharding.ByColumn sharding,
      KeyExpression.ArrayParameter array,
      ParameterSource values,
      BitSet shards) {
    try {
      for (Object element : values.elements(array.index(), sharding.keyType())) {
        add(sharding.rule().shardOf(element), shards);
      }
    } catch (KeyFormatException e) {
      throw unreadable(e);
    }
  }

  private static void add(int shard, BitSet shards) {
    if (shard != PartitionRule.NO_PARTITION) {
      shards.set(shard);
    }
  }

  /** The shard that knows best what a statement means, before its parameters are known. */
  int describing(StatementPlan plan) {
    if (plan instanceof StatementPlan.Query query && query.target() instanceof Target.Fixed fixed) {
      return fixed.shard();
    }
    return session.routedShard() >= 0 ? session.routedShard() : lowestShard();
  }

  /** A shard for what any can answer: where the client already is, else each in turn. */
  int anyShard() {
    int near = nearShard();
    return near < 0 ? session.links().reachable(session.context().anyShard()) : near;
  }

  /**
   * The same for a statement that may need others after it: those are waited for in ascending
   * order, so it begins with the first.
   */
  int lowestShard() {
    int near = nearShard();
    return near < 0 ? session.links().reachable(0) : near;
  }

  /** Where the client already is, or waits to be, or -1. */
  private int nearShard() {
    Links links = session.links();
    ServerConnection active = links.active();
    if (active != null) {
      return active.shard();
    }
    List<ServerConnection> held = links.all();
    return held.isEmpty() ? links.waitsFor() : held.get(0).shard();
  }
}
