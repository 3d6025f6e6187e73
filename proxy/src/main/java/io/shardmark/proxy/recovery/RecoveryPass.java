package io.shardmark.proxy.recovery;

import io.shardmark.proxy.commit.Gid;
import io.shardmark.proxy.commit.GidSequence;
import io.shardmark.proxy.commit.Outcome;
import io.shardmark.proxy.protocol.SqlState;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run over all shards. Used once, on one thread. */
final class RecoveryPass implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RecoveryPass.class);

  /** No commit of a session lives that long; one that seems to has been forgotten. */
  private static final Duration SESSION_LIMIT = Duration.ofMinutes(5);

  /** So long locks wait for a shard that cannot be reached. */
  private static final Duration LOCKS_LIMIT = Duration.ofMinutes(1);

  private record DuePart(ShardSession session, ShardSession.Prepared prepared, boolean endsLast) {}

  private final GidSequence gids;
  private final RecoveryOptions options;
  private final Map<String, ShardSession> sessions = new LinkedHashMap<>();
  private final Set<String> known = new HashSet<>();

  /** Proxies that show themselves on any shard. */
  private final Set<Long> living = new HashSet<>();

  private final List<String> unreachable = new ArrayList<>();
  private final List<InDoubt> inDoubt = new ArrayList<>();
  private final Consumer<Outcome> finished;

  RecoveryPass(GidSequence gids, RecoveryOptions options, Consumer<Outcome> finished) {
    this.gids = gids;
    this.options = options;
    this.finished = finished;
  }

  RecoveryReport run(List<ShardAccess> shards) {
    for (ShardAccess shard : shards) {
      known.add(shard.name());
      try {
        sessions.put(shard.name(), ShardSession.open(shard, options.lockLimit()));
      } catch (SQLException e) {
        lost(shard.name(), e);
      }
    }
    // Read before what is prepared: a proxy shows itself before it prepares anything.
    for (ShardSession session : List.copyOf(sessions.values())) {
      readLiving(session);
    }
    List<DuePart> last = new ArrayList<>();
    for (ShardSession session : List.copyOf(sessions.values())) {
      due(session, last).forEach(this::finish);
    }
    last.forEach(this::finish);
    return new RecoveryReport(inDoubt, unreachable);
  }

  private void lost(String shard, SQLException e) {
    LOG.warn("recovery cannot use shard {}: {}", shard, e.getMessage());
    sessions.remove(shard);
    unreachable.add(shard);
  }

  private void readLiving(ShardSession session) {
    try {
      living.addAll(session.livingProxies());
    } catch (SQLException e) {
      lost(session.name(), e);
    }
  }

  /**
   * What one shard has for recovery.
   *
   * @param last gets those that end when all others have, which are not in the answer
   */
  private List<DuePart> due(ShardSession session, List<DuePart> last) {
    List<DuePart> early = new ArrayList<>();
    try {
      List<ShardSession.Prepared> found = new ArrayList<>(session.prepared());
      found.removeIf(this::isInGoodHands);
      Set<String> marked = found.isEmpty() ? Set.of() : session.endingLast();
      for (ShardSession.Prepared prepared : found) {
        boolean endsLast = marked.contains(prepared.name());
        (endsLast ? last : early).add(new DuePart(session, prepared, endsLast));
      }
    } catch (SQLException e) {
      lost(session.name(), e);
    }
    return early;
  }

  private void finish(DuePart part) {
    whyNotFinished(part)
        .map(why -> new InDoubt(part.session().name(), part.prepared().name(), why))
        .ifPresent(inDoubt::add);
  }

  /** A session of this proxy is committing it, or one of another that lives. */
  private boolean isInGoodHands(ShardSession.Prepared prepared) {
    Optional<Gid> gid = Gid.parsePrepared(prepared.name()).map(Gid.PreparedName::gid);
    if (gid.isEmpty()) {
      return false;
    }
    if (gids.isLive(gid.get())) {
      return prepared.age().compareTo(SESSION_LIMIT) < 0;
    }
    return !gids.isAbandoned(gid.get())
        && prepared.age().compareTo(options.grace(living.contains(gid.get().incarnation()))) < 0;
  }

  /** Finishes it, or says why not. */
  private Optional<String> whyNotFinished(DuePart part) {
    ShardSession session = part.session();
    ShardSession.Prepared prepared = part.prepared();
    Optional<Gid.PreparedName> name = Gid.parsePrepared(prepared.name());
    if (name.isEmpty()) {
      return Optional.of("no proxy writes such a name");
    }
    Gid gid = name.get().gid();
    if (!name.get().participant().equals(session.name())) {
      return Optional.of("was prepared for shard " + name.get().participant());
    }
    if (!known.contains(gid.anchor())) {
      return Optional.of("no shard is called " + gid.anchor() + ", which decides");
    }
    ShardSession anchor = sessions.get(gid.anchor());
    if (anchor == null) {
      return Optional.of("shard " + gid.anchor() + ", which decides, cannot be reached");
    }
    return decideAndFinish(part, anchor, gid);
  }

  private Optional<String> decideAndFinish(DuePart part, ShardSession anchor, Gid gid) {
    ShardSession session = part.session();
    Outcome outcome;
    try {
      outcome = DecisionTable.decide(anchor.connection(), gid, () -> true);
    } catch (SQLException e) {
      if (DecisionTable.is(e, SqlState.LOCK_NOT_AVAILABLE)) {
        return Optional.of("its commit is in flight on shard " + anchor.name());
      }
      return Optional.of("shard " + anchor.name() + " says: " + e.getMessage());
    }
    if (outcome == Outcome.UNKNOWN) {
      return Optional.of("its decision has just been deleted");
    }
    if (outcome == Outcome.COMMITTED && waitsForOthers(part, gid)) {
      return Optional.of("keeps its locks until other shards show its rows");
    }
    try {
      session.finish(gid, outcome, part.prepared().owner(), finished);
      return Optional.empty();
    } catch (SQLException e) {
      // Also 55000 while another backend is finishing it.
      return Optional.of("shard " + session.name() + " says: " + e.getMessage());
    }
  }

  /** Whether rows of the transaction may be missing elsewhere, and not for long yet. */
  private boolean waitsForOthers(DuePart part, Gid gid) {
    return part.endsLast()
        && part.prepared().age().compareTo(LOCKS_LIMIT) < 0
        && (!unreachable.isEmpty()
            || inDoubt.stream().anyMatch(one -> one.preparedName().startsWith(gid.text() + ":")));
  }

  @Override
  public void close() {
    sessions.values().forEach(ShardSession::close);
  }
}
