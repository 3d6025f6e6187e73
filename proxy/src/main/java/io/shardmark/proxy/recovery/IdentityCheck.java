package io.shardmark.proxy.recovery;

import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.shards.ShardSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out whether the shards are those that the configuration means. The name of a shard is part
 * of every prepared transaction, and where a decision is looked for: two proxies that name the same
 * databases differently would undo each other's commits. So each database keeps a row with its name
 * and its cluster, written by the first proxy that uses it.
 *
 * <p>All databases are locked before any is written, so of two proxies that start at once the
 * second sees all that the first wrote, or nothing. They lock in the order of the names; if their
 * files swap names they may meet halfway, and then both let go and one is luckier.
 */
public final class IdentityCheck {
  private static final Logger LOG = LoggerFactory.getLogger(IdentityCheck.class);
  private static final Duration LOCK_LIMIT = Duration.ofSeconds(2);
  private static final int ATTEMPTS = 10;
  private static final int LONGEST_PAUSE_MILLIS = 500;

  private final List<ShardAccess> shards;

  /**
   * @param shards those to be looked at; a shard that cannot be reached is passed over
   */
  public IdentityCheck(List<ShardAccess> shards) {
    this.shards = shards.stream().sorted(Comparator.comparing(ShardAccess::name)).toList();
  }

  /**
   * What was found; each by name of the shard.
   *
   * @param cluster of the shards that are right; empty if none has one
   * @param right that are what they should be, or could not be asked for want of a privilege
   * @param wrong why a shard must not be used
   * @param unreachable why a shard could not be asked
   */
  public record Result(
      Optional<String> cluster,
      List<String> right,
      Map<String, String> wrong,
      Map<String, String> unreachable) {
    public Result {
      right = List.copyOf(right);
      wrong = Map.copyOf(wrong);
      unreachable = Map.copyOf(unreachable);
    }
  }

  /** Gives a database that name, unless it has one. */
  public static void identify(Connection shard, String name, String cluster) throws SQLException {
    ShardSql.execute(shard, IdentityRow.CREATE_TABLE);
    ShardSql.execute(shard, IdentityRow.INSERT + " ON CONFLICT DO NOTHING", name, cluster);
  }

  /** Whether shards without a name are given theirs. */
  public enum Claim {
    YES,
    NO
  }

  /**
   * Looks, and if nothing is wrong gives names to shards that have none. Blocks.
   *
   * @param cluster of shards that have been found to be right before
   */
  public Result run(Optional<String> cluster, Claim claim) throws InterruptedException {
    for (int attempt = 1; ; attempt++) {
      try (Round round = new Round()) {
        return round.run(cluster, claim);
      } catch (SQLException e) {
        if (attempt == ATTEMPTS) {
          Map<String, String> unreachable = new TreeMap<>();
          shards.forEach(shard -> unreachable.put(shard.name(), String.valueOf(e.getMessage())));
          return new Result(cluster, List.of(), Map.of(), unreachable);
        }
        LOG.debug("identifying the shards: {}", e.getMessage());
        TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextInt(LONGEST_PAUSE_MILLIS));
      }
    }
  }

  /** One attempt, with a connection to each shard. */
  private final class Round implements AutoCloseable {
    private final List<IdentityRow> rows = new ArrayList<>();
    private final Map<String, String> wrong = new TreeMap<>();
    private final Map<String, String> unreachable = new TreeMap<>();

    /**
     * @throws SQLException if it should be tried again
     */
    Result run(Optional<String> known, Claim claim) throws SQLException {
      for (ShardAccess shard : shards) {
        open(shard);
      }
      for (IdentityRow row : List.copyOf(rows)) {
        lock(row);
      }
      judge(known);
      Optional<String> cluster =
          known.or(() -> rows.stream().flatMap(row -> row.cluster().stream()).findFirst());
      if (wrong.isEmpty() && claim == Claim.YES) {
        String id = cluster.orElseGet(() -> UUID.randomUUID().toString());
        cluster = Optional.of(id);
        for (IdentityRow row : List.copyOf(rows)) {
          claim(row, id);
        }
      }
      List<String> right =
          rows.stream()
              .filter(row -> row.isIdentified() && !wrong.containsKey(row.shard()))
              .map(IdentityRow::shard)
              .toList();
      return new Result(cluster, right, wrong, unreachable);
    }

    private void open(ShardAccess shard) {
      try {
        Connection connection = shard.open();
        rows.add(new IdentityRow(shard.name(), connection));
      } catch (SQLException e) {
        unreachable.put(shard.name(), String.valueOf(e.getMessage()));
      }
    }

    private void claim(IdentityRow row, String cluster) {
      try {
        row.claim(cluster);
      } catch (SQLException e) {
        lose(row, e);
      }
    }

    private void lose(IdentityRow row, SQLException e) {
      unreachable.put(row.shard(), String.valueOf(e.getMessage()));
      rows.remove(row);
      row.close();
    }

    private void lock(IdentityRow row) throws SQLException {
      try {
        row.lock(LOCK_LIMIT);
        row.read();
      } catch (SQLException e) {
        if (!DecisionTable.is(e, SqlState.LOCK_NOT_AVAILABLE)) {
          lose(row, e);
          return;
        }
        for (IdentityRow other : rows) {
          if (other != row && other.isSameDatabase(row)) {
            wrong.put(
                row.shard(),
                "shards %s and %s are the same database".formatted(other.shard(), row.shard()));
            return;
          }
        }
        throw e;
      }
    }

    private void judge(Optional<String> known) {
      TreeSet<String> clusters = new TreeSet<>();
      known.ifPresent(clusters::add);
      rows.forEach(row -> row.cluster().ifPresent(clusters::add));
      // One shard alone may have another at its side.
      long inUse = rows.stream().filter(row -> row.name().isPresent() && row.isUsed()).count();
      for (IdentityRow row : rows) {
        if (row.name().isPresent() && !row.name().get().equals(row.shard())) {
          wrong.put(
              row.shard(),
              "shard %s of the configuration is a database that is shard %s of its cluster"
                  .formatted(row.shard(), row.name().get()));
        } else if (clusters.size() > 1
            && row.cluster().isPresent()
            && !row.cluster().equals(known)) {
          wrong.putIfAbsent(
              row.shard(),
              "shard %s is of cluster %s, not of the same as the others"
                  .formatted(row.shard(), row.cluster().get()));
        } else if (inUse > 1 && !row.isIdentified() && !row.isUsed()) {
          wrong.put(
              row.shard(),
              "shard %s is empty, and the others have tables: it can be added with ADD SHARD"
                  .formatted(row.shard()));
        }
      }
    }

    @Override
    public void close() {
      rows.forEach(IdentityRow::close);
    }
  }
}
