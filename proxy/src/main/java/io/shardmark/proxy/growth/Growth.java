package io.shardmark.proxy.growth;

import io.shardmark.config.ConfigException;
import io.shardmark.proxy.background.BackgroundRunner;
import io.shardmark.proxy.background.BackgroundTask;
import io.shardmark.proxy.commit.CommitSql;
import io.shardmark.proxy.commit.GidSequence;
import io.shardmark.proxy.ddl.MoveAgreement;
import io.shardmark.proxy.recovery.ShardAccess;
import io.shardmark.proxy.shardmap.ShardMap;
import io.shardmark.proxy.shards.ShardSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The moves of partitions of a cluster: takes orders, and makes those that no other proxy makes,
 * one after the other. Thread-safe; its methods block.
 */
public final class Growth implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Growth.class);

  private static final String CANCELLED = "cancelled";
  static final String MOVES_ARE_OPEN = "there are moves that are not over: see SHOW MOVES";

  private final List<ShardAccess> shards;
  private final Supplier<Optional<ShardAccess>> next;
  private final FreshMap freshMap;
  private final Sources sources;
  private final Cutover.Agreement agreement;
  private final Duration betweenLooks;
  private final BackgroundTask task;

  /** Of the task's thread. */
  private @Nullable GrowthWork current;

  /** How often others were preferred to a move, by its number; of the task's thread. */
  private final Map<Integer, Integer> putOff = new HashMap<>();

  /**
   * How shards, by their indexes, are reached as sources of moves.
   *
   * @param addresses how another shard connects, as libpq takes it, with the password
   * @param connections for the replication protocol as well
   */
  public record Sources(IntFunction<String> addresses, ReplicationConnections connections) {
    /** Opens connections that the caller closes. */
    public interface ReplicationConnections {
      Connection open(int shard) throws SQLException;
    }
  }

  /**
   * The progress of a move, for SHOW MOVES.
   *
   * @param bytes of the rows on the source; 0 if they are not being copied
   * @param copied of these, on the target
   * @param lag bytes of the source's log that the target has not confirmed; negative if unknown
   */
  public record MoveInfo(
      int id,
      List<String> partitions,
      String source,
      String target,
      String stage,
      long seconds,
      long bytes,
      long copied,
      long lag,
      String note) {}

  /**
   * @param shards all that count, in their order
   * @param next the first configured one that does not count
   * @param freshMap reads the map
   * @param recovery has what is prepared be ended soon
   * @param betweenLooks for what other proxies have left
   */
  public Growth(
      List<ShardAccess> shards,
      Supplier<Optional<ShardAccess>> next,
      Supplier<CompletionStage<ShardMap>> freshMap,
      Sources sources,
      MoveAgreement agreement,
      GidSequence gids,
      Runnable recovery,
      Duration betweenLooks,
      BackgroundRunner runner) {
    this.shards =
        new AbstractList<>() {
          @Override
          public ShardAccess get(int shard) {
            return new Unlimited(shards.get(shard));
          }

          @Override
          public int size() {
            return shards.size();
          }
        };
    this.next = () -> next.get().map(Unlimited::new);
    this.freshMap = new FreshMap(freshMap);
    this.sources = sources;
    this.agreement = new Cutover.Agreement(agreement, gids, recovery);
    this.betweenLooks = betweenLooks;
    this.task = runner.task("moves", this::run);
  }

  /** A shard whose limits for users do not end what takes long. */
  private record Unlimited(ShardAccess shard) implements ShardAccess {
    @Override
    public String name() {
      return shard.name();
    }

    @Override
    public Connection open() throws SQLException {
      Connection connection = shard.open();
      try {
        ShardSql.texts(connection, MoveSql.NO_LIMITS);
        return connection;
      } catch (SQLException e) {
        connection.close();
        throw e;
      }
    }
  }

  /** Takes up what other proxies have left, and what is ordered. */
  public void start() {
    task.runSoon();
  }

  /**
   * Where rows have been moved to, as the shards that can be reached say, must be known here.
   *
   * @throws ConfigException if a proxy over these shards would not see them
   */
  public static void checkShards(List<ShardAccess> shards) {
    Set<String> names = shards.stream().map(ShardAccess::name).collect(Collectors.toSet());
    List<String> counting = new ArrayList<>();
    for (ShardAccess shard : shards) {
      try (Connection connection = shard.open()) {
        ShardAddition.AdditionRow.read(connection).stream()
            .filter(row -> row.stage().counts() && !names.contains(row.name()))
            .forEach(row -> counting.add(row.name()));
        for (PartitionMove move : MoveRows.read(connection, 0)) {
          if (!move.stage().isOfSource() && !names.contains(move.target())) {
            throw new ConfigException(
                "shards: rows of shard %s %s moved to shard %s, which is not among them;"
                        .formatted(
                            shard.name(),
                            move.stage().canBeUndone() ? "are being" : "have been",
                            move.target())
                    + " nothing was changed");
          }
        }
      } catch (SQLException e) {
        LOG.debug("moves of shard {} cannot be read: {}", shard.name(), e.getMessage());
      }
    }
    if (!counting.isEmpty()) {
      throw new ConfigException(
          "shards: shard %s counts, and is not among them; nothing was changed"
              .formatted(counting.get(0)));
    }
  }

  /**
   * How many of the configured shards count when a proxy starts: not those that are empty while the
   * others have tables, and not those whose addition is not over.
   */
  public static int counting(List<ShardAccess> configured) {
    int count = 0;
    boolean used = false; // whether a shard before has tables, or may have some
    Map<String, AdditionStage> stages = new HashMap<>();
    for (ShardAccess shard : configured) {
      AdditionStage stage = stages.get(shard.name());
      if (stage != null && !stage.counts()) {
        return count; // whether it can be reached or not
      }
      try (Connection connection = shard.open()) {
        if (stages.isEmpty()) {
          ShardAddition.AdditionRow.read(connection)
              .forEach(row -> stages.put(row.name(), row.stage()));
        }
        boolean counts =
            stage != null
                || (!ShardSql.hasTable(connection, "arriving")
                    && (!used
                        || ShardSql.hasTable(connection, "shard")
                        || ShardSql.hasUsersTables(connection)));
        // One shard alone cannot grow: its tables are no other's.
        if (!counts && count > 1) {
          return count;
        }
        used |= ShardSql.hasTable(connection, "shard") && ShardSql.hasUsersTables(connection);
      } catch (SQLException e) {
        LOG.debug("whether shard {} counts is not known: {}", shard.name(), e.getMessage());
        used = true;
      }
      count++;
    }
    return count;
  }

  // ---- orders

  /**
   * Orders that a shard is filled and counts.
   *
   * @return one line that says so
   * @throws ConfigException if it cannot be added; nothing has changed then
   */
  public String add(String name) throws SQLException {
    if (shards.stream().anyMatch(shard -> shard.name().equals(name))) {
      throw new ConfigException("shard " + name + " counts already");
    }
    ShardAccess added =
        next.get()
            .filter(shard -> shard.name().equals(name))
            .orElseThrow(
                () ->
                    new ConfigException(
                        "shard %s is not the next one of the configuration: append it to shards, and RELOAD"
                            .formatted(name)));
    try (Connection first = ordering()) {
      new AdditionCheck(added, shards, readMap()).run();
      createTable(first, AdditionSql.CREATE_TABLE);
      if (ShardSql.execute(first, AdditionSql.INSERT, name, shards.size()) == 0) {
        throw new ConfigException("shard " + name + " is being added already: see SHOW SHARDS");
      }
    }
    task.runSoon();
    return "shard %s will be added: see SHOW SHARDS".formatted(name);
  }

  /** Has an addition be undone, whichever proxy makes it. */
  public String cancel(String name) throws SQLException {
    try (Connection first = shards.get(0).open()) {
      AdditionStage stage =
          ShardAddition.AdditionRow.read(first).stream()
              .filter(row -> row.name().equals(name))
              .map(ShardAddition.AdditionRow::stage)
              .findFirst()
              .orElseThrow(() -> new ConfigException("shard " + name + " is not being added"));
      int written =
          ShardSql.execute(
              first,
              AdditionSql.WRITE_STAGE,
              AdditionStage.UNDOING.word(),
              CANCELLED,
              name,
              Stream.of(AdditionStage.values())
                  .filter(AdditionStage::canBeUndone)
                  .map(AdditionStage::word)
                  .toList());
      if (written == 0) {
        throw new ConfigException(
            "shard %s is not being added: its addition is %s".formatted(name, stage.word()));
      }
    }
    task.runSoon();
    return "the addition of shard %s will be undone".formatted(name);
  }

  /** An order is judged by everything that has been committed, not by the last look. */
  private ShardMap readMap() {
    try {
      return freshMap.read();
    } catch (Cutover.BusyException e) {
      throw new ConfigException(e.getMessage() + ": send it again");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ConfigException("the proxy ends");
    }
  }

  /** To the first shard; who has it is the only one that orders something. */
  private Connection ordering() throws SQLException {
    Connection first = shards.get(0).open();
    try {
      ShardSql.texts(first, MoveSql.LOCK_ORDERS);
      return first;
    } catch (SQLException e) {
      first.close();
      throw e;
    }
  }

  /** Shards whose addition has been ordered: their stages, and after a colon why they are there. */
  public Map<String, String> additions() throws SQLException {
    Map<String, String> found = new HashMap<>();
    try (Connection first = shards.get(0).open()) {
      for (ShardAddition.AdditionRow row : ShardAddition.AdditionRow.read(first)) {
        found.put(row.name(), row.stage().word() + ": " + row.note());
      }
    }
    return found;
  }

  private static void requireNoAddition(Connection first) throws SQLException {
    for (ShardAddition.AdditionRow row : ShardAddition.AdditionRow.read(first)) {
      if (!row.stage().isOver()) {
        throw new ConfigException("shard %s is being added: see SHOW SHARDS".formatted(row.name()));
      }
    }
  }

  /**
   * Orders a move.
   *
   * @return one line that says what will be moved
   * @throws ConfigException if it cannot be made; nothing has changed then
   */
  public String move(String partition, String target) throws SQLException {
    MovePlanner.Plan plan = new MovePlanner(readMap(), shards).plan(partition, target);
    try (Connection first = ordering()) {
      requireNoAddition(first);
      return order(first, partition, plan);
    }
  }

  private String order(Connection first, String partition, MovePlanner.Plan plan)
      throws SQLException {
    createTable(first, MoveSql.CREATE_TABLE);
    ShardSql.execute(first, MoveSql.CREATE_NUMBERS);
    int number = (int) MoveRows.number(first, MoveSql.NEXT_NUMBER);
    try (Connection source = shards.get(plan.source()).open()) {
      createTable(source, MoveSql.CREATE_TABLE);
      int inserted =
          ShardSql.execute(
              source,
              MoveSql.INSERT,
              number,
              plan.target(),
              plan.parents(),
              plan.partitions(),
              plan.bound(),
              plan.partitions());
      if (inserted == 0) {
        throw new ConfigException(partition + " is being moved already: see SHOW MOVES");
      }
    }
    task.runSoon();
    return "move %d: %d partitions from %s to %s"
        .formatted(
            number, plan.partitions().size(), shards.get(plan.source()).name(), plan.target());
  }

  /** Orders the moves after which all shards have about as much. */
  public String rebalance() throws SQLException {
    Map<String, MovePlanner.Plan> planned = new LinkedHashMap<>();
    try (Connection first = ordering()) {
      requireNoAddition(first);
      if (moves().stream().anyMatch(move -> !MoveStage.of(move.stage()).isOver())) {
        throw new ConfigException(MOVES_ARE_OPEN);
      }
      MovePlanner planner = new MovePlanner(readMap(), shards);
      for (Rebalance.Moved one : planner.rebalance()) {
        planned.put(one.partition(), planner.plan(one.partition(), shards.get(one.to()).name()));
      }
      for (Map.Entry<String, MovePlanner.Plan> one : planned.entrySet()) { // all can be made
        order(first, one.getKey(), one.getValue());
      }
    }
    return planned.isEmpty()
        ? "the shards are balanced"
        : planned.size() + " moves: see SHOW MOVES";
  }

  private static void createTable(Connection connection, String sql) throws SQLException {
    connection.setAutoCommit(false);
    ShardSql.execute(connection, CommitSql.LOCK_CREATION);
    ShardSql.execute(connection, sql);
    connection.commit();
    connection.setAutoCommit(true);
  }

  /** Has a move be undone, whichever proxy makes it. */
  public String cancel(int id) throws SQLException {
    for (ShardAccess shard : shards) {
      try (Connection connection = shard.open()) {
        for (PartitionMove move : MoveRows.read(connection, 0)) {
          if (move.id() == id) {
            int written =
                ShardSql.execute(
                    connection,
                    MoveSql.WRITE_STAGE,
                    MoveStage.UNDOING.word(),
                    CANCELLED,
                    id,
                    Stream.of(MoveStage.values())
                        .filter(MoveStage::canBeUndone)
                        .map(MoveStage::word)
                        .toList());
            if (written == 0) {
              throw new ConfigException("move %d is %s".formatted(id, move.stage().word()));
            }
            task.runSoon();
            return "move %d will be undone".formatted(id);
          }
        }
      }
    }
    throw new ConfigException("there is no move " + id);
  }

  /** All moves, those that are over included. */
  public List<MoveInfo> moves() throws SQLException {
    List<MoveInfo> found = new ArrayList<>();
    for (int shard = 0; shard < shards.size(); shard++) {
      try (Connection source = shards.get(shard).open()) {
        for (PartitionMove move : MoveRows.read(source, shard)) {
          found.add(info(source, move));
        }
      }
    }
    found.sort(Comparator.comparingInt(MoveInfo::id));
    return found;
  }

  private MoveInfo info(Connection source, PartitionMove move) throws SQLException {
    long bytes = 0;
    long copied = 0;
    long lag = -1;
    if (move.stage().canBeUndone()) {
      bytes = MoveRows.number(source, MoveSql.SIZE, move.partitions());
      lag = MoveRows.number(source, MoveSql.LAG, move.name());
      try (Connection target = target(move).open()) {
        copied = MoveRows.number(target, MoveSql.SIZE, move.partitions());
      }
    }
    return new MoveInfo(
        move.id(),
        move.partitions(),
        shards.get(move.source()).name(),
        move.target(),
        move.stage().word(),
        move.seconds(),
        bytes,
        copied,
        lag,
        move.note());
  }

  private ShardAccess target(PartitionMove move) {
    Optional<ShardAccess> known =
        shards.stream().filter(shard -> shard.name().equals(move.target())).findFirst();
    if (known.isEmpty() && !move.stage().isOfSource()) {
      throw new ConfigException("there is no shard " + move.target());
    }
    return known.orElseGet(() -> new PartitionMover.RemovedShard(move.target()));
  }

  // ---- work

  private Duration run() throws SQLException, InterruptedException {
    GrowthWork mover = current == null ? take() : current;
    current = mover;
    if (mover == null) {
      return betweenLooks;
    }
    try {
      Duration pause = mover.advance();
      if (mover.isPutOff()) {
        putOff.merge(mover.id(), 1, Integer::sum);
        release(mover);
        return betweenLooks;
      }
      if (mover.isOver()) {
        release(mover);
      }
      return pause;
    } catch (SQLException e) {
      LOG.warn("{} is interrupted: {}", mover, e.getMessage());
      release(mover);
      return betweenLooks;
    }
  }

  private void release(GrowthWork mover) {
    mover.close();
    current = null;
  }

  /** What is to be done that no other proxy does: an addition, or the next move. */
  private @Nullable GrowthWork take() {
    try (Connection first = shards.get(0).open()) {
      for (ShardAddition.AdditionRow row : ShardAddition.AdditionRow.read(first)) {
        if (!row.stage().isOver()) {
          return take(row);
        }
      }
    } catch (SQLException e) {
      LOG.debug("additions cannot be read: {}", e.getMessage());
    }
    return takeMove();
  }

  private @Nullable GrowthWork take(ShardAddition.AdditionRow row) {
    Optional<ShardAccess> added =
        Stream.concat(next.get().stream(), shards.stream())
            .filter(shard -> shard.name().equals(row.name()))
            .findFirst();
    if (added.isEmpty() && row.stage() == AdditionStage.UNDOING) { // nothing has to be done there
      added = Optional.of(new PartitionMover.RemovedShard(row.name()));
    }
    Connection first = null;
    try {
      first = shards.get(0).open();
      if (added.isPresent() && ShardSql.isTrue(first, MoveSql.take(MoveSql.OF_ADDITION))) {
        // What another proxy has written until it let go.
        for (ShardAddition.AdditionRow now : ShardAddition.AdditionRow.read(first)) {
          if (now.name().equals(row.name()) && !now.stage().isOver()) {
            return new ShardAddition(now, added.get(), shards, first, freshMap, agreement);
          }
        }
      }
    } catch (SQLException e) {
      LOG.debug("the addition of {} cannot be taken: {}", row.name(), e.getMessage());
    }
    ShardSql.close(first);
    return null;
  }

  /** The next move that is not over, unless another proxy makes it. */
  private @Nullable PartitionMover takeMove() {
    List<PartitionMove> open = new ArrayList<>();
    for (int shard = 0; shard < shards.size(); shard++) {
      try (Connection connection = shards.get(shard).open()) {
        MoveRows.read(connection, shard).stream()
            .filter(move -> !move.stage().isOver())
            .forEach(open::add);
      } catch (SQLException e) {
        LOG.debug("moves of shard {}: {}", shards.get(shard).name(), e.getMessage());
      }
    }
    Optional<PartitionMove> next = next(open, putOff);
    return next.isEmpty() ? null : take(next.get());
  }

  /** The oldest of those that were put off least often. */
  static Optional<PartitionMove> next(List<PartitionMove> open, Map<Integer, Integer> putOff) {
    return open.stream()
        .min(
            Comparator.comparing((PartitionMove move) -> putOff.getOrDefault(move.id(), 0))
                .thenComparing(PartitionMove::id));
  }

  private @Nullable PartitionMover take(PartitionMove move) {
    Connection source = null;
    try {
      ShardAccess target = target(move); // first: nothing is taken that cannot be made
      source = shards.get(move.source()).open();
      if (ShardSql.isTrue(source, MoveSql.take(move.id()))) {
        return new PartitionMover(
            move, shards.get(move.source()), target, source, sources, agreement);
      }
    } catch (SQLException | ConfigException e) {
      LOG.debug("move {} cannot be taken: {}", move.id(), e.getMessage());
    }
    ShardSql.close(source);
    return null;
  }

  @Override
  public void close() {
    GrowthWork mover = current;
    if (mover != null) {
      release(mover);
    }
  }
}
