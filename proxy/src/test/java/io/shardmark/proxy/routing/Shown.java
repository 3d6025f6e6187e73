package io.shardmark.proxy.routing;

import io.shardmark.proxy.routing.StatementPlan.Copy;
import io.shardmark.proxy.routing.StatementPlan.Query;
import io.shardmark.proxy.shardmap.KeyType;
import io.shardmark.proxy.shardmap.ShardMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Plans in the words of the route tables. */
final class Shown {
  private Shown() {}

  /** Parameters given as text: an integer, NULL, or {1,2}. */
  record TextParameters(List<String> values) implements ParameterSource {
    @Override
    public @Nullable Object value(int index, KeyType type) {
      String text = values.get(index);
      if (text.equals("NULL")) {
        return null;
      }
      return type == KeyType.TEXT ? text : (Object) KeyText.integer(text);
    }

    @Override
    public List<Object> elements(int index, KeyType type) {
      List<Object> keys = new ArrayList<>();
      KeyText.array(values.get(index)).forEach(key -> keys.add(KeyText.integer(key)));
      return keys;
    }
  }

  static String plan(StatementPlan plan, ParameterSource parameters, ShardMap map) {
    if (plan instanceof Query query) {
      return query(query, parameters, map);
    }
    if (plan instanceof Copy copy) {
      String rows = copy.rows() == null ? "" : " field " + copy.rows().keyField();
      return "copy " + target(copy.target(), parameters, map) + rows;
    }
    if (plan instanceof StatementPlan.Refused refused) {
      return "refused: " + refused.message();
    }
    return command(plan, parameters, map);
  }

  private static String command(StatementPlan plan, ParameterSource parameters, ShardMap map) {
    if (plan instanceof StatementPlan.DeclareCursor declare) {
      return "cursor " + declare.name() + " " + query(declare.query(), parameters, map);
    }
    if (plan instanceof StatementPlan.FetchCursor fetch) {
      return (fetch.move() ? "move " : "fetch ") + fetch.name() + " " + fetch.count();
    }
    if (plan instanceof StatementPlan.Prepare prepare) {
      return "prepare " + prepare.name() + " " + prepare.typeOids() + " " + prepare.sql();
    }
    if (plan instanceof StatementPlan.Execute execute) {
      return "execute " + execute.name() + " " + execute.values();
    }
    return plan.toString();
  }

  private static String query(Query query, ParameterSource parameters, ShardMap map) {
    String target = target(query.target(), parameters, map);
    boolean one =
        query.target() instanceof Target.Any
            || target.equals("first")
            || target.matches("\\d|none");
    if (one) {
      return target;
    }
    if (query.spread() instanceof Spread.Refuse refuse) {
      return "refused: " + refuse.message();
    }
    return target + " " + query.spread().getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  private static String target(Target target, ParameterSource parameters, ShardMap map) {
    if (target instanceof Target.Any) {
      return "any";
    }
    if (target instanceof Target.First) {
      return "first";
    }
    if (target instanceof Target.All) {
      return "all";
    }
    ShardSet shards = ShardResolver.resolve(target, parameters, map);
    List<String> names = new ArrayList<>();
    for (int shard = shards.first(); shard >= 0; shard = shards.next(shard)) {
      names.add(Integer.toString(shard));
    }
    return names.isEmpty() ? "none" : String.join(",", names);
  }
}
