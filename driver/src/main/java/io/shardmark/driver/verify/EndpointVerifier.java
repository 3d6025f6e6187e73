package io.shardmark.driver.verify;

import io.shardmark.config.DatabaseKind;
import io.shardmark.sql.jdbc.ConnectionSource;
import io.shardmark.sql.shards.Shard;
import io.shardmark.sql.shards.ShardMap;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * Checks conditions on whatever an endpoint is: one database, or several shards.
 *
 * @param connections to the endpoint
 * @param shards where its rows are, read at each check
 * @param parallelism number of connections at once, from 1
 */
public record EndpointVerifier(
    ConnectionSource connections, DatabaseKind kind, ShardSource shards, int parallelism) {

  /** Says where rows are at the moment: shards are added, and tables move to them. */
  public interface ShardSource {
    Optional<ShardMap> read() throws SQLException;
  }

  /**
   * Checks all conditions.
   *
   * @throws SQLException if the endpoint cannot be asked at all
   */
  public Verifier.Findings run(Conditions conditions) throws SQLException, InterruptedException {
    List<Shard> asked = askedShards();
    return asked.size() > 1
        ? new ShardedVerifier(connections, asked, parallelism).run(conditions)
        : new Verifier(connections, kind, parallelism).run(conditions);
  }

  /** Checks those that hold whatever transactions have done. */
  public Verifier.Findings runAlways(Conditions conditions)
      throws SQLException, InterruptedException {
    return run(new AlwaysConditions(conditions));
  }

  private record AlwaysConditions(Conditions those) implements Conditions {
    @Override
    public String table() {
      return those.table();
    }

    @Override
    public List<Condition> all(DatabaseKind kind) {
      return those.all(kind).stream()
          .filter(condition -> condition.scope() == Condition.ConditionScope.ALWAYS)
          .toList();
    }
  }

  /**
   * Those that have to be asked one after the other, as the proxy's; Citus answers for all of its
   * nodes. Of one or none the endpoint is asked.
   */
  private List<Shard> askedShards() throws SQLException {
    return shards.read().filter(ShardMap::isOfProxy).map(ShardMap::shards).orElse(List.of());
  }
}
