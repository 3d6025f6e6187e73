package io.shardmark.loader;

import io.shardmark.config.ConfigException;
import io.shardmark.config.FirstLine;
import io.shardmark.config.LoadDirect;
import io.shardmark.loader.data.LoadUnit;
import io.shardmark.sql.jdbc.ConnectionSource;
import io.shardmark.sql.shards.Shard;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The shards of a load that goes past the endpoint. */
final class DirectShards {
  /** The journal was created on all shards with the parameters of this load as a default. */
  private static final String DEFAULT_OF_JOURNAL =
      "select pg_get_expr(d.adbin, d.adrelid) from pg_attrdef d"
          + " join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum"
          + " where d.adrelid = to_regclass('"
          + "%s') and a.attname = 'detail'";

  private final ShardTarget target;
  private final int[] shardOf;

  private DirectShards(ShardTarget target, int[] shardOf) {
    this.target = target;
    this.shardOf = shardOf;
  }

  /**
   * Decides whether this load goes straight to the shards: if that is wanted, and every shard is
   * reached at the address that the endpoint gives and turns out to be a shard of this load. An
   * address can mean another server here than where the endpoint runs.
   *
   * @throws LoadException if it must and cannot
   */
  static Optional<DirectShards> find(
      ShardTarget target, LoadDirect wanted, DatabaseSession.Setup setup, LoadListener listener)
      throws LoadException {
    if (wanted == LoadDirect.NEVER) {
      return Optional.empty();
    }
    Optional<int[]> shardOf =
        setup
            .data()
            .partitioning()
            .flatMap(by -> target.map().shardsOf(by.rootTable(), by.count()));
    String obstacle =
        shardOf.isEmpty()
            ? "the shard map does not place every " + setup.layout().column()
            : obstacle(target, setup);
    if (obstacle.isEmpty()) {
      listener.note("Loading %d shards directly".formatted(target.map().shards().size()));
      return shardOf.map(known -> new DirectShards(target, known));
    }
    if (wanted == LoadDirect.ALWAYS) {
      throw new LoadException("loadDirect=true: " + obstacle);
    }
    listener.note("Loading through the endpoint: " + obstacle);
    return Optional.empty();
  }

  private static String obstacle(ShardTarget target, DatabaseSession.Setup setup) {
    String parameters = Parameters.of(setup.data(), setup.origin()).text();
    String query = DEFAULT_OF_JOURNAL.formatted(setup.layout().table());
    for (Shard shard : target.map().shards()) {
      try (Connection connection = target.connections().open(shard);
          Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery(query)) {
        if (!rows.next() || !rows.getString(1).startsWith("'" + parameters + "'")) {
          return "what answers at the address of shard %s is not a shard of this load"
              .formatted(shard.describe());
        }
      } catch (SQLException | ConfigException e) {
        return "shard %s cannot be reached from here: %s"
            .formatted(shard.describe(), FirstLine.of(e));
      }
    }
    return "";
  }

  /**
   * One worker's way to load units: those of a partition straight into its shard, and those of
   * none, which are on every shard, through the endpoint. Opens the connections it needs as it
   * comes to need them.
   */
  UnitSession session(ConnectionSource endpoint, DatabaseSession.Setup setup) {
    return new Session(endpoint, setup);
  }

  private final class Session implements UnitSession {
    private static final int ENDPOINT = -1;

    private final ConnectionSource endpoint;
    private final DatabaseSession.Setup setup;
    private final Map<Integer, DatabaseSession> open = new HashMap<>();

    Session(ConnectionSource endpoint, DatabaseSession.Setup setup) {
      this.endpoint = endpoint;
      this.setup = setup;
    }

    @Override
    public long load(LoadUnit unit) throws SQLException {
      int shard = unit.partition() == 0 ? ENDPOINT : shardOf[unit.partition()];
      DatabaseSession session = open.get(shard);
      if (session == null) {
        session = DatabaseSession.open(shard == ENDPOINT ? endpoint : source(shard), setup);
        open.put(shard, session);
      }
      return session.load(unit);
    }

    @Override
    public void close() throws SQLException {
      SQLException failure = null;
      for (DatabaseSession session : open.values()) {
        try {
          session.close();
        } catch (SQLException e) {
          failure = e;
        }
      }
      if (failure != null) {
        throw failure;
      }
    }
  }

  private ConnectionSource source(int shard) {
    Shard found = target.map().shards().get(shard);
    return () -> target.connections().open(found);
  }
}
