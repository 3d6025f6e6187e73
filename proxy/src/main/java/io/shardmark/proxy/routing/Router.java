package io.shardmark.proxy.routing;

import static java.util.Objects.requireNonNull;

import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.Route.FunctionUse;
import io.shardmark.proxy.routing.Route.FunctionUse.UseKind;
import io.shardmark.proxy.routing.Route.RefusedRoute.Stage;
import io.shardmark.proxy.routing.Route.Share;
import io.shardmark.proxy.routing.StatementPlan.QueryPlan;
import io.shardmark.proxy.shardmap.KeyType;
import io.shardmark.proxy.shardmap.PartitionRule;
import io.shardmark.proxy.shardmap.ShardSet;
import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.sql.KeyExpression;
import io.shardmark.proxy.sql.KeyFormatException;
import io.shardmark.proxy.sql.ParameterSource;
import io.shardmark.proxy.sql.Target;
import io.shardmark.proxy.sql.Target.KeySet;
import io.shardmark.proxy.sql.Target.KeyUse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The only one that turns values into shards: from a planned statement, what of the session
 * matters, and the values of one execution to a {@link Route}. Pure; for all threads.
 */
public final class Router {
  /** NOTIFY is sent here; who listens hears all shards. */
  private static final int NOTIFYING_SHARD = 0;

  private final int shardCount;
  private final List<Integer> all;

  public Router(int shardCount) {
    this.shardCount = shardCount;
    this.all = IntStream.range(0, shardCount).boxed().toList();
  }

  /** A statement with its route. */
  public record Routed(PlannedStatement statement, Route route) {}

  /** The route of a statement of the extended protocol. */
  public Route route(PlannedStatement statement, RoutingView view, ParameterSource values) {
    Route route = statement.plan().accept(new Decision(statement, view, values, false));
    if (route == null) {
      throw new IllegalStateException("the plan of a shape is routed as that of a text");
    }
    return route;
  }

  /**
   * The route of a statement of the simple protocol, with the plan that led to it: of all
   * statements that differ in literals only, or if that does not suffice of this very text.
   */
  public Routed route(SimpleStatement statement, RoutingView view) {
    PlannedStatement planned = statement.planned();
    Route route = planned.plan().accept(new Decision(planned, view, statement.literals(), true));
    if (route == null) {
      planned = statement.exact();
      route = route(planned, view, NoParameters.INSTANCE);
    }
    return new Routed(planned, route);
  }

  /** The shard that knows best what a statement means, whatever its values; -1: any. */
  public int describingShard(PlannedStatement statement, RoutingView view) {
    StatementPlan plan =
        statement.plan() instanceof StatementPlan.DeclareCursor declared
            ? declared.query()
            : statement.plan();
    if (!(plan instanceof QueryPlan query) || shardCount == 1) {
      return view.shardByHand();
    }
    if (query.strategy().knownOn() >= 0) {
      return query.strategy().knownOn();
    }
    return query.target() instanceof Target.Fixed fixed ? fixed.shard() : view.shardByHand();
  }

  /** One statement's. Answers null if only the plan of the exact text can say. */
  private final class Decision implements StatementPlan.PlanVisitor<@Nullable Route> {
    private final PlannedStatement statement;
    private final RoutingView view;
    private final ParameterSource values;
    private final boolean mayAskForText;

    Decision(
        PlannedStatement statement,
        RoutingView view,
        ParameterSource values,
        boolean mayAskForText) {
      this.statement = statement;
      this.view = view;
      this.values = values;
      this.mayAskForText = mayAskForText;
    }

    @Override
    @SuppressWarnings("NullAway") // it does not read that the visitor's type may be null
    public @Nullable Route query(QueryPlan query) {
      FunctionUse use = FunctionUse.of(query);
      String name = statement.preparedName();
      if (name != null) {
        use = use.preparing(name);
      }
      return query(query, statement.copiesIn() ? use.copyingIn() : use);
    }

    private @Nullable Route query(QueryPlan query, FunctionUse use) {
      if (shardCount == 1) {
        return new Route.OneShard(0, use);
      }
      Target target = query.target();
      if (target instanceof Target.Fixed fixed) {
        return new Route.OneShard(fixed.shard(), use);
      }
      // On the shard given by hand alone the copies of a table would differ.
      boolean everywhere = use.written() && query.strategy().changesCopies();
      if (view.shardByHand() >= 0 && !everywhere) {
        return new Route.OneShard(view.shardByHand(), use);
      }
      if (target instanceof Target.Keys keys) {
        return keys(query, keys, use);
      }
      if (target instanceof Target.All) {
        return several(query, all, null);
      }
      return new Route.AnyShard(target instanceof Target.First, use);
    }

    private @Nullable Route keys(QueryPlan query, Target.Keys keys, FunctionUse use) {
      int known = query.strategy().knownOn();
      ShardSet shards = known < 0 ? ShardSet.EMPTY : ShardSet.EMPTY.with(known);
      for (int i = 0; i < keys.sets().size(); i++) {
        KeySet set = keys.sets().get(i);
        try {
          shards = with(shards, set);
        } catch (KeyFormatException e) {
          if (mayAskForText) {
            return null; // perhaps no key at all
          }
          // What is stored becomes a key that cannot be known; what is compared may be anywhere.
          return set.use() == KeyUse.STORED ? unreadable(e) : several(query, all, e);
        }
      }
      return switch (shards.size()) {
        case 0 -> new Route.AnyShard(false, use);
        case 1 -> new Route.OneShard(shards.first(), use);
        default -> several(query, shards.indexes(), null);
      };
    }

    private ShardSet with(ShardSet before, KeySet set) {
      ShardSet shards = before;
      for (int i = 0; i < set.values().size(); i++) {
        KeyExpression key = set.values().get(i);
        if (key instanceof KeyExpression.ArrayParameter array) {
          for (Object element : values.elements(array.index(), set.sharding().keyType())) {
            shards = with(shards, set.sharding().rule().shardOf(element));
          }
        } else {
          shards = with(shards, shardOf(key, set.sharding(), set.use()));
        }
      }
      return shards;
    }

    private static ShardSet with(ShardSet shards, int shard) {
      return shard == PartitionRule.NO_PARTITION ? shards : shards.with(shard);
    }

    private int shardOf(KeyExpression key, Sharding.ByColumn sharding, KeyUse use) {
      Object value = value(key, sharding.keyType());
      boolean nowhere = value == null && use == KeyUse.COMPARED; // NULL equals nothing
      return nowhere ? PartitionRule.NO_PARTITION : sharding.rule().shardOf(value);
    }

    private @Nullable Object value(KeyExpression key, KeyType type) {
      if (key instanceof KeyExpression.Constant constant) {
        return constant.value();
      }
      if (key instanceof KeyExpression.Parameter parameter) {
        return values.value(parameter.index(), type);
      }
      throw new IllegalArgumentException("no single value: " + key);
    }

    /**
     * @param cause a key that could not be read, if that is why it goes to all
     */
    private @Nullable Route several(
        QueryPlan query, List<Integer> shards, @Nullable KeyFormatException cause) {
      ScatterStrategy strategy = query.strategy();
      if (strategy instanceof ScatterStrategy.ScatterByText) {
        return null;
      }
      if (strategy instanceof ScatterStrategy.RefuseScatter refuse) {
        return cause != null ? unreadable(cause) : Router.refused(refuse);
      }
      if (strategy instanceof ScatterStrategy.SplitRows rows) {
        return split(query, rows.split());
      }
      if (strategy instanceof ScatterStrategy.ScatterInsert insert) {
        return insert(insert.rows());
      }
      String text = statement.sql();
      if (strategy instanceof ScatterStrategy.Merge merge) {
        text = merge.sql();
        try {
          strategy = merge.with(index -> (Long) values.value(index, KeyType.INTEGER));
        } catch (KeyFormatException e) {
          return unreadable(e);
        }
      } else if (strategy instanceof ScatterStrategy.Replay replay) {
        text = replay.change().sql();
      }
      List<Share> shares = new ArrayList<>(shards.size());
      for (int shard : shards) {
        shares.add(
            new Share(
                shard,
                strategy instanceof ScatterStrategy.Finish finish ? finish.askedOn(shard) : text,
                null));
      }
      return new Route.Several(query.access(), strategy, shares);
    }

    /** The query's own route says which shards give the rows. */
    private Route insert(InsertedRows rows) {
      Decision source = new Decision(rows.query(), view, values, false);
      Route route = requireNonNull(rows.query().plan().accept(source));
      return route instanceof Route.RefusedRoute ? route : new Route.InsertByRow(rows, route);
    }

    private Route split(QueryPlan query, RowSplit split) {
      if (!(query.target() instanceof Target.Keys keys)) {
        throw new IllegalStateException("rows are split without keys");
      }
      Sharding.ByColumn sharding = keys.sets().get(0).sharding();
      Map<Integer, List<Integer>> rowsByShard = new TreeMap<>();
      List<KeyExpression> rowKeys = split.rowKeys();
      for (int row = 0; row < rowKeys.size(); row++) {
        // A row that fits no partition fails on whichever shard gets it.
        int shard = Math.max(0, shardOf(rowKeys.get(row), sharding, KeyUse.STORED));
        rowsByShard.computeIfAbsent(shard, unused -> new ArrayList<>()).add(row);
      }
      List<Share> shares = new ArrayList<>(rowsByShard.size());
      rowsByShard.forEach(
          (shard, rows) -> {
            RowSplit.SplitPart part = split.part(rows);
            shares.add(new Share(shard, part.sql(), part.parameters()));
          });
      return new Route.Several(query.access(), query.strategy(), shares);
    }

    @Override
    public Route copy(StatementPlan.Copy copy) {
      boolean in = copy.fromClient();
      Access access = in ? Access.WRITE : Access.READ;
      FunctionUse use = new FunctionUse(UseKind.COPY, access, copy.effects(), null, null, in);
      if (shardCount > 1 && in && (copy.rows() != null || copy.reference())) {
        return new Route.CopyData(copy, all);
      }
      Route route =
          query(new QueryPlan(access, copy.target(), new ScatterStrategy.Sum(), Set.of()), use);
      return route instanceof Route.Several several
          ? new Route.CopyData(copy, several.shards())
          : requireNonNull(route);
    }

    @Override
    public Route declare(StatementPlan.DeclareCursor declare) {
      FunctionUse use =
          new FunctionUse(
              UseKind.QUERY, declare.query().access(), declare.effects(), declare, null, false);
      Route route = requireNonNull(query(declare.query(), use));
      if (route instanceof Route.Several several) {
        return new Route.SeveralForCursor(declare, several);
      }
      int known = view.shardOfCursor(declare.name());
      boolean there = route instanceof Route.OneShard one && one.shard() == known;
      if (known == RoutingView.UNKNOWN || there || route instanceof Route.RefusedRoute) {
        return route;
      }
      // A server would not know of a cursor of that name elsewhere.
      return new Route.RefusedRoute(
          SqlState.DUPLICATE_CURSOR.code(),
          "cursor \"" + declare.name() + "\" already exists",
          "",
          Stage.AT_EXECUTE);
    }

    @Override
    public Route cursor(StatementPlan.Cursor cursor) {
      int shard = view.shardOfCursor(cursor.name());
      boolean passedOn = shard >= 0 && !(cursor instanceof StatementPlan.CloseCursor);
      return passedOn ? new Route.OneShard(shard, FunctionUse.READS) : new Route.Local(cursor);
    }

    @Override
    public Route notification(StatementPlan.Notification notification) {
      if (notification.signal() == StatementPlan.Notification.Signal.NOTIFY) {
        return new Route.OneShard(NOTIFYING_SHARD, FunctionUse.NOTIFIES);
      }
      return shardCount == 1
          ? new Route.OneShard(0, FunctionUse.LISTENS)
          : new Route.Local(notification);
    }

    @Override
    public Route refused(StatementPlan.RefusedPlan refused) {
      return new Route.RefusedRoute(
          SqlState.FEATURE_NOT_SUPPORTED.code(), refused.message(), refused.hint(), Stage.AT_ONCE);
    }

    @Override
    public Route local(StatementPlan.Action action) {
      return new Route.Local(action);
    }
  }

  private static Route refused(ScatterStrategy.RefuseScatter refuse) {
    return new Route.RefusedRoute(
        SqlState.FEATURE_NOT_SUPPORTED.code(),
        refuse.message(),
        refuse.hint(),
        Stage.AFTER_PARSE,
        refuse.knownOn());
  }

  private static Route unreadable(KeyFormatException e) {
    return new Route.RefusedRoute(
        e.state().code(), String.valueOf(e.getMessage()), "", Stage.AFTER_PARSE);
  }
}
