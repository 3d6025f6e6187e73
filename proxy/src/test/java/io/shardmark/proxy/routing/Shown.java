package io.shardmark.proxy.routing;

import io.shardmark.proxy.shardmap.KeyType;
import io.shardmark.proxy.sql.KeyText;
import io.shardmark.proxy.sql.ParameterSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Routes, as the proxy makes them, in the words of the route tables. */
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
      KeyText.array(values.get(index), false).forEach(key -> keys.add(KeyText.integer(key)));
      return keys;
    }
  }

  private static final int SHARDS = 4;
  private static final Router ROUTER = new Router(SHARDS);

  /** A session that has named no shard and declared no cursor. */
  private enum Nothing implements RoutingView {
    SET;

    @Override
    public int shardByHand() {
      return -1;
    }

    @Override
    public int shardOfCursor(String name) {
      return UNKNOWN;
    }
  }

  static String route(PlannedStatement statement, ParameterSource values) {
    return ROUTER.route(statement, Nothing.SET, values).accept(new Words());
  }

  static String route(SimpleStatement statement) {
    return ROUTER.route(statement, Nothing.SET).route().accept(new Words());
  }

  private static final class Words implements Route.RouteVisitor<String> {
    @Override
    public String forwarded(Route.Forwarded route) {
      StatementPlan.DeclareCursor cursor = route.use().cursor();
      String any = route instanceof Route.AnyShard shard && shard.first() ? "first" : "any";
      String where = route instanceof Route.OneShard one ? Integer.toString(one.shard()) : any;
      if (route.use().kind() == Route.FunctionUse.UseKind.COPY) {
        return "copy " + where;
      }
      return cursor == null ? where : "cursor " + cursor.name() + " " + where;
    }

    @Override
    public String several(Route.Several route) {
      String kind = route.strategy().getClass().getSimpleName().toLowerCase(Locale.ROOT);
      return shards(route.shards()) + " " + kind;
    }

    private static String shards(List<Integer> shards) {
      return shards.size() == SHARDS
          ? "all"
          : shards.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    @Override
    public String severalForCursor(Route.SeveralForCursor route) {
      return "cursor " + route.cursor().name() + " " + several(route.rows());
    }

    @Override
    public String insertByRow(Route.InsertByRow route) {
      return "rows of " + route.query().accept(this);
    }

    @Override
    public String copyData(Route.CopyData route) {
      CopyRows rows = route.copy().rows();
      return "copy " + shards(route.shards()) + (rows == null ? "" : " field " + rows.keyField());
    }

    @Override
    public String refused(Route.RefusedRoute route) {
      return "refused: " + route.message();
    }

    @Override
    public String local(Route.Local route) {
      StatementPlan plan = route.action();
      if (plan instanceof StatementPlan.FetchCursor fetch) {
        return (fetch.move() ? "move " : "fetch ") + fetch.name() + " " + fetch.count();
      }
      return plan.toString();
    }
  }
}
