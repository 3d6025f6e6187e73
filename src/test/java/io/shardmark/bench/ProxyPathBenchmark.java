package io.shardmark.bench;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.shardmark.proxy.protocol.BindReader;
import io.shardmark.proxy.protocol.MessageFramer;
import io.shardmark.proxy.protocol.MessageLimits;
import io.shardmark.proxy.protocol.NameCache;
import io.shardmark.proxy.routing.BindParameters;
import io.shardmark.proxy.routing.MapPlans;
import io.shardmark.proxy.routing.PlanCache;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.Route;
import io.shardmark.proxy.routing.Router;
import io.shardmark.proxy.routing.RoutingView;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.shardmap.Column;
import io.shardmark.proxy.shardmap.HashRule;
import io.shardmark.proxy.shardmap.KeyType;
import io.shardmark.proxy.shardmap.ShardMap;
import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.shardmap.TableName;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The steps that the proxy takes for every statement, each alone: framing an answer, the hash, the
 * shard of a Bind, the plan and shard of a simple statement. Nanoseconds a statement.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ProxyPathBenchmark {
  private static final List<String> PUBLIC = List.of("public");
  private static final int[] DECLARED_INTEGER = {23};
  private static final int KEYS = 1024;

  private final ShardMap map = accountsOnTwoShards();
  private final MapPlans plans =
      new PlanCache((sql, tokens, tables) -> new StatementPlan.Empty()).of(map);
  private final Router router = new Router(2);
  private final RoutingView session = new NothingSet();
  private final String[] selects = new String[KEYS];
  private final ByteBuf bind = bindOfOneInteger();
  private final BindReader reader = new BindReader(new NameCache());
  private final ByteBuf answer = Unpooled.buffer();
  private final CountingListener listener = new CountingListener();
  private final MessageFramer framer = new MessageFramer(listener, MessageLimits.server(1 << 20));
  private PlannedStatement prepared = plans.planParse("", PUBLIC);
  private int next;

  /** A session that has named no shard and declared no cursor. */
  private static final class NothingSet implements RoutingView {
    @Override
    public int shardByHand() {
      return -1;
    }

    @Override
    public int shardOfCursor(String name) {
      return UNKNOWN;
    }
  }

  private static ShardMap accountsOnTwoShards() {
    TableName name = new TableName("public", "pgbench_accounts");
    Sharding sharding =
        new Sharding.ByColumn("aid", KeyType.INTEGER, HashRule.oneRemainderPerShard(2));
    List<Column> columns =
        List.of(
            new Column("aid", 23, true),
            new Column("bid", 23, true),
            new Column("abalance", 23, true),
            new Column("filler", 1042, true));
    return new ShardMap(List.of("s1", "s2"), Map.of(name, new Table(name, sharding, columns)), 1);
  }

  /** A Bind: unnamed portal, a named statement, one binary integer. */
  private static ByteBuf bindOfOneInteger() {
    ByteBuf body = Unpooled.buffer();
    body.writeByte('B').writeInt(0);
    body.writeByte(0).writeBytes(new byte[] {'p', '0', 0});
    body.writeShort(1).writeShort(1).writeShort(1).writeInt(4).writeInt(4711).writeShort(0);
    return body;
  }

  /** Plans once, and writes one answer: BindComplete, DataRow, CommandComplete, ReadyForQuery. */
  @Setup
  public void setUp() {
    for (int key = 0; key < KEYS; key++) {
      selects[key] = "SELECT abalance FROM pgbench_accounts WHERE aid = " + (key * 97 + 1);
    }
    prepared = plans.planParse("SELECT abalance FROM pgbench_accounts WHERE aid = $1", PUBLIC);
    answer.writeByte('2').writeInt(4);
    answer.writeByte('D').writeInt(14).writeShort(1).writeInt(4).writeInt(0);
    answer
        .writeByte('C')
        .writeInt(13)
        .writeBytes(new byte[] {'S', 'E', 'L', 'E', 'C', 'T', ' ', '1', 0});
    answer.writeByte('Z').writeInt(5).writeByte('I');
  }

  /** The hash and the shard of a key. */
  @Benchmark
  public int hash() {
    return HASH_RULE.shardOf(next());
  }

  private static final HashRule HASH_RULE = HashRule.oneRemainderPerShard(2);

  /** The four messages of a usual answer. */
  @Benchmark
  public int framing() {
    framer.read(answer.retainedDuplicate());
    return listener.messages;
  }

  /** From the bytes of a Bind to its route. */
  @Benchmark
  public Route routeOfBind() {
    reader.read(bind, 0, bind.readableBytes());
    return router.route(prepared, session, new BindParameters(reader, DECLARED_INTEGER));
  }

  /** From the text of a simple statement, with a literal that differs each time, to its route. */
  @Benchmark
  public Route routeOfText() {
    return router
        .route(plans.planSimple(selects[(int) next() % KEYS], PUBLIC).get(0), session)
        .route();
  }

  private long next() {
    next = next + 1 & 0x3fff_ffff;
    return next;
  }

  private static final class CountingListener implements MessageFramer.FrameListener {
    private int messages;

    @Override
    public void message(byte type, ByteBuf buffer, int start, int length) {
      messages += type;
    }
  }
}
