package io.shardmark.proxy.transaction;

import io.netty.channel.EventLoop;
import io.shardmark.proxy.execution.CapturedAnswer;
import io.shardmark.proxy.execution.SnapshotGate;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.pool.AnswerHandler;
import io.shardmark.proxy.pool.OwnServers;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.protocol.TransactionStatus;
import io.shardmark.proxy.shardmap.ShardSet;
import io.shardmark.proxy.snapshot.Gate;
import io.shardmark.proxy.snapshot.GateSql;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The gate of one event loop: does what {@link Gate} says, over connections of the proxy's own, so
 * that one closing serves all clients of the loop who want snapshots then.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a timer that comes too late finds nothing to do
public final class GateKeeper implements SnapshotGate, OwnServers.User {
  private final EventLoop loop;
  private final OwnServers servers;
  private final List<String> shardNames;
  private final Map<Long, KeptPlace> places = new HashMap<>();

  /** Shards whose connection is being opened, and will then be asked for the lock. */
  private final Set<Integer> unasked = new HashSet<>();

  /** Why a shard cannot give the lock at all, since it was asked last. */
  private final Map<Integer, String> faults = new HashMap<>();

  private final Queue<Gate.GateEffect> effects = new ArrayDeque<>();
  private Gate gate = Gate.OPEN;
  private boolean performing;
  private long lastTurn;

  public GateKeeper(EventLoop loop, OwnServers servers, List<String> shardNames) {
    this.loop = loop;
    this.servers = servers;
    this.shardNames = shardNames;
  }

  @Override
  public SnapshotGate.SnapshotTurn enter(List<Integer> shards, Runnable goOn) {
    long number = ++lastTurn;
    KeptPlace place = new KeptPlace(number, goOn);
    places.put(number, place);
    become(gate.enter(number, ShardSet.of(shards), System.nanoTime()));
    return place;
  }

  private final class KeptPlace implements SnapshotGate.SnapshotTurn {
    private final long number;
    private final Runnable goOn;
    private KeeperProgress progress = KeeperProgress.WAITING;
    private @Nullable StatementException refusal;

    KeptPlace(long number, Runnable goOn) {
      this.number = number;
      this.goOn = goOn;
    }

    @Override
    public boolean hasBegun() {
      if (refusal != null) {
        throw refusal;
      }
      return progress == KeeperProgress.BEGUN;
    }

    @Override
    public void leave() {
      if (progress == KeeperProgress.WAITING || progress == KeeperProgress.BEGUN) {
        progress =
            gate.isGood(number, System.nanoTime())
                ? KeeperProgress.LEFT_IN_TIME
                : KeeperProgress.LEFT_LATE;
        places.remove(number);
        become(gate.leave(number, System.nanoTime()));
      }
    }

    @Override
    public boolean isGood() {
      return progress == KeeperProgress.LEFT_IN_TIME;
    }

    private void advance(KeeperProgress next, @Nullable StatementException why) {
      progress = next;
      refusal = why;
      loop.execute(goOn);
    }
  }

  private enum KeeperProgress {
    WAITING,
    BEGUN,
    LEFT_IN_TIME,
    LEFT_LATE
  }

  // ---- what the gate says ----

  private void become(Gate.GateChange change) {
    gate = change.next();
    effects.addAll(change.effects());
    if (performing) {
      return;
    }
    performing = true;
    try {
      while (!effects.isEmpty()) {
        perform(effects.remove());
      }
    } finally {
      performing = false;
    }
  }

  private void perform(Gate.GateEffect effect) {
    if (effect instanceof Gate.GateEffect.Close close) {
      close(close.shard());
    } else if (effect instanceof Gate.GateEffect.Open open) {
      send(open.shard(), GateSql.OPEN, CapturedAnswer.IGNORED);
    } else if (effect instanceof Gate.GateEffect.Drop drop) {
      servers.drop(drop.shard());
    } else if (effect instanceof Gate.GateEffect.Wake wake) {
      loop.schedule(
          () -> become(gate.time(System.nanoTime())),
          wake.atNanos() - System.nanoTime(),
          TimeUnit.NANOSECONDS);
    } else if (effect instanceof Gate.GateEffect.Begin begin) {
      KeptPlace place = places.get(begin.turn());
      if (place != null) {
        place.advance(KeeperProgress.BEGUN, null);
      }
    } else if (effect instanceof Gate.GateEffect.RefuseGate refuse) {
      KeptPlace place = places.remove(refuse.turn());
      if (place != null) {
        place.advance(KeeperProgress.LEFT_LATE, refusal(refuse));
      }
    }
  }

  private StatementException refusal(Gate.GateEffect.RefuseGate refuse) {
    String shard = shardNames.get(refuse.shards().first());
    return switch (refuse.reason()) {
      case LOST ->
          new StatementException(
              SqlState.CONNECTION_FAILURE,
              "no snapshot can be taken on shard %s: %s"
                  .formatted(
                      shard,
                      faults.getOrDefault(refuse.shards().first(), "the connection is lost")));
      case BUSY ->
          new StatementException(
              SqlState.LOCK_NOT_AVAILABLE,
              "no snapshot can be taken: a transaction over several shards stays prepared on shard "
                  + shard,
              "SHOW TRANSACTIONS in the database shardmark names it.");
    };
  }

  private void close(int shard) {
    ServerConnection server = servers.require(shard, this);
    if (server == null) {
      unasked.add(shard);
    } else {
      send(shard, GateSql.CLOSE, new Locked());
    }
  }

  private void send(int shard, String sql, AnswerHandler answer) {
    ServerConnection server = servers.require(shard, this);
    if (server != null) {
      server.query(sql, answer);
      server.flush();
    }
  }

  /** The answer to the try to lock. */
  private final class Locked extends CapturedAnswer {
    @Override
    public void completed(ServerConnection server, TransactionStatus status) {
      int shard = server.shard();
      ErrorFields error = error();
      if (error == null || error.sqlState().equals(SqlState.LOCK_NOT_AVAILABLE)) {
        faults.remove(shard);
        become(gate.answered(shard, error == null, System.nanoTime()));
      } else {
        faults.put(shard, error.message());
        loop.execute(() -> servers.drop(shard));
      }
    }

    @Override
    public void lost(ServerConnection server) {
      // The connection's user learns it.
    }
  }

  @Override
  public void opened(ServerConnection server) {
    server.query(GateSql.PREPARE_CONNECTION, CapturedAnswer.IGNORED);
    if (unasked.remove(server.shard())) {
      server.query(GateSql.CLOSE, new Locked());
    }
    server.flush();
  }

  @Override
  public void lost(int shard) {
    unasked.remove(shard);
    become(gate.lost(shard, System.nanoTime()));
  }
}
