package io.shardmark.proxy.catalog;

import io.shardmark.proxy.shardmap.ShardMap;
import io.shardmark.proxy.shards.ShardSql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * Reads the shards' catalogs and keeps what it read: a shard that does not answer keeps the catalog
 * it had. Blocks on JDBC; for one thread at a time. Holds one connection to each shard.
 */
public final class CatalogReader implements AutoCloseable {
  private final ShardConnections connections;
  private final Clock clock;
  private final List<Slot> slots = new ArrayList<>();
  private final Map<Integer, Set<String>> endedRoles = new HashMap<>();
  private long version;

  /** Names of those that count; replaced as a whole. */
  private volatile List<String> shards = List.of();

  /** One that counts and is not in the configuration, or "". */
  private volatile String unknownShard = "";

  private @Nullable CatalogReading last;

  /** Replaced as a whole, since transactions take it on other threads. */
  private volatile Committed committed;

  /** Of the map of a transaction, which no plan of others is made with. */
  private static final long OWN_VERSION = -1;

  /**
   * What the last map was made of.
   *
   * @param catalogs by shard index
   */
  private record Committed(List<Optional<ShardCatalog>> catalogs, Map<String, String> sharding) {
    Committed {
      catalogs = List.copyOf(catalogs);
      sharding = Map.copyOf(sharding);
    }
  }

  /**
   * Where a shard is read.
   *
   * @param facts as of when the connection was opened
   */
  private record Source(Connection connection, ShardFacts facts) {}

  /** What is kept of one shard. */
  private static final class Slot {
    @Nullable Source source;
    @Nullable ShardCatalog catalog;
    ShardStatus status;

    Slot(ShardStatus status) {
      this.status = status;
    }
  }

  /**
   * @param clock for the times shown with a shard's state
   */
  public CatalogReader(ShardConnections connections, Clock clock) {
    this.connections = connections;
    this.clock = clock;
    count(connections.shardCount());
    this.committed = new Committed(catalogs(), Map.of());
  }

  /** So many of the configured shards count from now on; before the first reading, or more. */
  public void count(int count) {
    connections.count(count);
    for (int shard = slots.size(); shard < count; shard++) {
      slots.add(
          new Slot(
              new ShardStatus(
                  connections.shardName(shard),
                  ShardStatus.ShardState.UNKNOWN,
                  "not tried yet",
                  clock.instant())));
    }
    while (slots.size() > count) {
      close(slots.remove(count));
      last = null;
    }
    shards = slots.stream().map(slot -> slot.status.shard()).toList();
  }

  /** What was read last; before the first reading a map without tables. */
  public CatalogReading last() {
    return last == null ? new CatalogReading(new ShardMap(shards, Map.of(), 0), List.of()) : last;
  }

  /**
   * Looks at every shard; reads those again whose tables have changed.
   *
   * @param sharding the configuration's, table to column
   * @return the reading; its map is the same object as before if nothing has changed
   */
  public CatalogReading read(Map<String, String> sharding) {
    CatalogReading before = last;
    boolean changed = before == null || !sharding.equals(committed.sharding());
    for (int shard = 0; shard < slots.size(); shard++) {
      changed |= look(shard);
    }
    changed |= takeAdded();
    if (!changed && before != null) {
      return before;
    }
    List<Optional<ShardCatalog>> catalogs = catalogs();
    CatalogReading reading = new ShardMapBuilder(shards, catalogs, sharding).build(version + 1);
    if (before != null && reading.map().withVersion(version).equals(before.map())) {
      reading = new CatalogReading(before.map(), reading.problems());
    } else {
      version++;
    }
    committed = new Committed(catalogs, sharding);
    last = reading;
    return reading;
  }

  /**
   * By shard index, the names of roles that are gone since this was last asked, or are other roles
   * or superusers by now.
   */
  Map<Integer, Set<String>> takeEndedRoles() {
    Map<Integer, Set<String>> ended = new HashMap<>(endedRoles);
    ended.values().removeIf(Set::isEmpty);
    endedRoles.clear();
    return ended;
  }

  private List<Optional<ShardCatalog>> catalogs() {
    return slots.stream().map(slot -> Optional.ofNullable(slot.catalog)).toList();
  }

  /** Asks inside a transaction for what it has changed. For any thread. */
  List<String> question(int shard) {
    return CatalogSql.inTransaction(
        committed.catalogs().get(shard).flatMap(read -> read.rows().since()));
  }

  /**
   * The map as a transaction sees it. For any thread; does not block.
   *
   * @param rows answers to {@link #question} by shard index; the other shards are as they were last
   *     read
   */
  ShardMap mapWith(Map<Integer, List<List<@Nullable String>>> rows) {
    Committed known = committed;
    List<Optional<ShardCatalog>> catalogs = new ArrayList<>(known.catalogs());
    rows.forEach(
        (shard, answer) ->
            catalogs.set(
                shard,
                catalogs.get(shard).map(read -> read.rows().with(answer).catalog(read.facts()))));
    return new ShardMapBuilder(shards, catalogs, known.sharding()).build(OWN_VERSION).map();
  }

  /** Shards by index, as last seen. */
  public List<ShardStatus> status() {
    return slots.stream().map(slot -> slot.status).toList();
  }

  /** What is known of the servers for the check at start; empty for those never read. */
  List<Optional<ShardFacts>> facts() {
    return slots.stream()
        .map(slot -> Optional.ofNullable(slot.catalog).map(ShardCatalog::facts))
        .toList();
  }

  /** Transactions of shards that were prepared in the last reading, which did not see them. */
  Set<PreparedOnShard> prepared() {
    Set<PreparedOnShard> prepared = new HashSet<>();
    for (int i = 0; i < slots.size(); i++) {
      int shard = i;
      ShardCatalog read = slots.get(shard).catalog;
      if (read != null) {
        read.rows().prepared().forEach(id -> prepared.add(new PreparedOnShard(shard, id)));
      }
    }
    return prepared;
  }

  /** A shard's part of a transaction. */
  record PreparedOnShard(int shard, long id) {}

  /** Returns whether the shard's catalog is another one than before. */
  private boolean look(int shard) {
    Slot slot = slots.get(shard);
    ShardCatalog before = slot.catalog;
    try {
      Source source = slot.source;
      CatalogRows known = CatalogRows.NONE; // a new connection may lead to another server
      if (source == null || source.connection().isClosed()) {
        source = open(shard);
        slot.source = source;
      } else if (before != null) {
        known = before.rows();
      }
      CatalogRows rows = rows(source.connection(), known);
      setStatus(slot, ShardStatus.ShardState.UP, "PostgreSQL " + source.facts().version());
      if (before != null && rows.saysTheSameAs(before.rows())) {
        slot.catalog = before.read(rows, source.facts());
        return false;
      }
      ShardCatalog now = rows.catalog(source.facts());
      slot.catalog = now;
      if (before != null) {
        endedRoles
            .computeIfAbsent(shard, first -> new HashSet<>())
            .addAll(now.rolesEndedSince(before));
      }
      return true;
    } catch (SQLException e) {
      close(slot);
      setStatus(slot, ShardStatus.ShardState.DOWN, oneLine(e));
      return false;
    }
  }

  /**
   * Shards that have been added count from the moment on in which the first shard says so. The
   * others say it when that transaction ends there; until then they show the mark of a move.
   */
  private boolean takeAdded() {
    for (Slot slot : slots) {
      ShardCatalog read = slot.catalog;
      if (slot.source != null && read != null) {
        return takeAdded(read.rows().added());
      }
    }
    return false;
  }

  private boolean takeAdded(List<String> names) {
    int before = slots.size();
    String unknown = "";
    for (String name : names) {
      if (connections.countNext(name)) {
        count(connections.shardCount());
        look(slots.size() - 1);
      } else if (!shards.contains(name)) {
        unknown = name;
      }
    }
    unknownShard = unknown;
    return slots.size() > before;
  }

  /** One that counts and that the configuration does not have, or "". For any thread. */
  String unknownShard() {
    return unknownShard;
  }

  private Source open(int shard) throws SQLException {
    Connection connection = connections.open(shard);
    try {
      ShardSql.execute(connection, CatalogSql.PREPARE_SESSION);
      connection.unwrap(PGConnection.class).setPrepareThreshold(1);
      return new Source(
          connection, ShardSql.rows(connection, CatalogSql.SERVER, CatalogReader::facts).get(0));
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  /** With what has changed since, and the additions of a table that is new. */
  private static CatalogRows rows(Connection connection, CatalogRows known) throws SQLException {
    String since = known.since().map(String::valueOf).orElse("");
    String sql = known.haveAdditions() ? CatalogSql.CHANGES_AND_ADDED : CatalogSql.CHANGES;
    CatalogRows now = known.with(ShardSql.rows(connection, sql, CatalogReader::row, since));
    return now.haveAdditions() && !known.haveAdditions() ? rows(connection, now) : now;
  }

  private static List<@Nullable String> row(ResultSet row) throws SQLException {
    @Nullable String[] values = new String[CatalogSql.COLUMN_COUNT];
    for (int column = 0; column < values.length; column++) {
      values[column] = row.getString(column + 1);
    }
    return Arrays.asList(values);
  }

  private static ShardFacts facts(ResultSet row) throws SQLException {
    return new ShardFacts(
        row.getString(1),
        row.getString(2),
        row.getString(3),
        row.getString(4),
        row.getBoolean(5),
        row.getInt(6),
        row.getInt(7),
        row.getInt(8),
        row.getString(9),
        row.getBoolean(10),
        row.getString(11),
        row.getBoolean(12));
  }

  private void setStatus(Slot slot, ShardStatus.ShardState state, String detail) {
    Instant since = slot.status.state() == state ? slot.status.since() : clock.instant();
    slot.status = new ShardStatus(slot.status.shard(), state, detail, since);
  }

  private static String oneLine(SQLException e) {
    return String.valueOf(e.getMessage()).strip().replaceAll("\\s+", " ");
  }

  private static void close(Slot slot) {
    Source source = slot.source;
    slot.source = null;
    if (source != null) {
      ShardSql.close(source.connection());
    }
  }

  @Override
  public void close() {
    slots.forEach(CatalogReader::close);
  }
}
