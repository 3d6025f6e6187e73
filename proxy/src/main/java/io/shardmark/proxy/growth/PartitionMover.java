package io.shardmark.proxy.growth;

import io.shardmark.proxy.growth.Cutover.BusyException;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.recovery.ShardAccess;
import io.shardmark.proxy.shards.ShardSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A move that this proxy makes, as long as its connection to the source lasts. Belongs to one
 * thread; blocks.
 */
final class PartitionMover implements GrowthWork {
  private static final Logger LOG = LoggerFactory.getLogger(PartitionMover.class);

  private static final Duration RETRY = Duration.ofSeconds(1);
  private static final Duration POLL = Duration.ofMillis(200);

  /** PostgreSQL tries again without being asked; what fails so often will not succeed. */
  private static final int MOST_FAILURES_TO_FOLLOW = 5;

  private static final String SLOT_GONE =
      "the replication slot is gone, as after a failover of the source";

  private static final int FIRST_VERSION_WITH_FAILURES = 15;

  private final PartitionMove move;
  private final ShardAccess sourceShard;
  private final ShardAccess targetShard;
  private final Connection source;
  private final Growth.Sources sources;
  private final Cutover cutover;
  private MoveState state;

  /** Before this proxy took the move, as by a loss of the source: none of the copy itself. */
  private long failuresBefore = -1;

  /**
   * @param source a connection that has taken the move; this object's from now on
   */
  PartitionMover(
      PartitionMove move,
      ShardAccess sourceShard,
      ShardAccess targetShard,
      Connection source,
      Growth.Sources sources,
      Cutover.Agreement agreement) {
    this.move = move;
    this.sourceShard = sourceShard;
    this.targetShard = targetShard;
    this.source = source;
    this.sources = sources;
    this.cutover = new Cutover(agreement, move, sourceShard, targetShard, source);
    this.state = MoveState.written(move.stage(), move.note());
  }

  @Override
  public boolean isOver() {
    return state.stage().isOver();
  }

  /** As {@link MoveState} has it. */
  @Override
  public boolean isPutOff() {
    return state.isPutOff();
  }

  @Override
  public int id() {
    return move.id();
  }

  /** A target that is no shard any more: nothing has to be done there. */
  record RemovedShard(String name) implements ShardAccess {
    @Override
    public Connection open() throws SQLException {
      throw new SQLException("there is no shard " + name, SqlState.CONNECTION_FAILURE.code());
    }
  }

  @Override
  public Duration advance() throws SQLException, InterruptedException {
    PartitionMove row = row();
    if (row.stage() != state.stage()) {
      state = MoveState.written(row.stage(), row.note());
    }
    if (isOver()) {
      return Duration.ZERO;
    }
    MoveState before = state;
    state = perform(before);
    write(before);
    boolean sameStep = state.stage() == before.stage() && state.done() == before.done();
    return !sameStep
        ? Duration.ZERO
        : state.failures() == 0 ? POLL : RETRY.multipliedBy(state.pauses());
  }

  private PartitionMove row() throws SQLException {
    return MoveRows.read(source, move.source()).stream()
        .filter(row -> row.id() == move.id())
        .findFirst()
        .orElseThrow(() -> new SQLException("the row of move " + move.id() + " is gone"));
  }

  private MoveState perform(MoveState now) throws SQLException, InterruptedException {
    try {
      if ((now.step() == MoveStep.COMPARE || now.step() == MoveStep.SWITCH) && !hasSlot()) {
        return now.refused(SLOT_GONE);
      }
      return switch (now.step()) {
        case BEGIN -> now.succeeded();
        case PUBLISH -> done(now, this::publish);
        case MAKE_TABLES -> done(now, this::makeTables);
        case COPY -> done(now, this::copy);
        case SUBSCRIBE -> done(now, this::subscribe);
        case CATCH_UP -> caughtUp(now);
        case ANALYZE -> done(now, this::analyze);
        case COMPARE -> {
          Optional<String> difference = cutover.difference(now.moment());
          yield difference.isPresent()
              ? now.refused("the copy differs: " + difference.get())
              : now.succeeded();
        }
        case SWITCH -> done(now, () -> cutover.switchOver(now.moment()));
        case CONFIRM -> confirm(now);
        case UNSUBSCRIBE -> onTarget(now, this::unsubscribe);
        case DROP_SLOT -> done(now, this::dropSlot);
        case UNPUBLISH -> done(now, this::unpublish);
        case DROP_SOURCE -> done(now, this::dropSource);
        case DROP_TARGET -> onTarget(now, this::dropTarget);
      };
    } catch (BusyException e) {
      return now.failed(String.valueOf(e.getMessage()));
    } catch (SQLException e) {
      if (!source.isValid(1)) {
        throw e;
      }
      String message = String.valueOf(e.getMessage()).strip().replaceAll("\\s+", " ");
      LOG.debug("move {}: {}", move.id(), message);
      StepFailure failure = StepFailure.of(e);
      return failure == StepFailure.LASTS && now.step() == MoveStep.CONFIRM
          ? now.keeps(kept("the rows cannot be compared as of the switch: " + message))
          : now.failed(failure, message);
    }
  }

  private String kept(String why) {
    String where =
        move.partitions().size() == 1
            ? move.emptied(0)
            : move.emptied(0) + " to _" + (move.partitions().size() - 1);
    LOG.error("move {}: {}; rows of {} are kept in {}", move.id(), why, sourceShard.name(), where);
    return why + "; the rows on " + sourceShard.name() + " are kept in " + where;
  }

  /** A step that has succeeded when it returns. */
  private interface MoveWork {
    void run() throws SQLException, BusyException, InterruptedException;
  }

  private static MoveState done(MoveState now, MoveWork work)
      throws SQLException, BusyException, InterruptedException {
    work.run();
    return now.succeeded();
  }

  private MoveState onTarget(MoveState now, MoveWork work)
      throws SQLException, BusyException, InterruptedException {
    return targetShard instanceof RemovedShard ? now.succeeded() : done(now, work);
  }

  /** Somebody may have cancelled the move meanwhile; then the next step sees that. */
  private void write(MoveState before) throws SQLException {
    if (state.stage() != before.stage()) {
      LOG.info("move {} is {} {}", move.id(), state.stage().word(), state.note());
      ShardSql.execute(
          source,
          MoveSql.WRITE_STAGE,
          state.stage().word(),
          state.note(),
          move.id(),
          List.of(before.stage().word()));
    } else if (!state.note().equals(before.note())) {
      ShardSql.execute(source, MoveSql.WRITE_NOTE, state.note(), move.id());
    }
  }

  // ---- the copy

  private void publish() throws SQLException {
    if (ShardSql.isTrue(source, MoveSql.PUBLICATION_EXISTS, move.name())) {
      return;
    }
    inTransaction(
        source,
        () -> {
          ShardSql.execute(source, Cutover.GIVING_WAY);
          List<String> without =
              ShardSql.texts(source, MoveSql.WITHOUT_IDENTITY, move.partitions());
          for (String table : without) {
            ShardSql.execute(source, "ALTER TABLE " + table + " REPLICA IDENTITY FULL");
          }
          ShardSql.execute(source, MoveSql.WRITE_IDENTIFIED, without, move.id());
          ShardSql.execute(
              source,
              "CREATE PUBLICATION %s FOR TABLE %s"
                  .formatted(move.name(), String.join(", ", move.partitions())));
        });
  }

  private boolean hasSlot() throws SQLException {
    return ShardSql.isTrue(source, MoveSql.SLOT_EXISTS, move.name());
  }

  private void makeTables() throws SQLException {
    try (Connection target = targetShard.open()) {
      for (int i = 0; i < move.partitions().size(); i++) {
        String parent = move.parents().get(i);
        String partition = move.partitions().get(i);
        if (ShardSql.texts(target, MoveSql.EXISTING_TABLES, List.of(partition)).isEmpty()) {
          inTransaction(target, () -> makeTable(target, parent, partition));
        } else if (ShardSql.texts(target, MoveSql.ARRIVED, List.of(partition)).isEmpty()) {
          throw new SQLException(
              "shard %s has a table that is called %s and is not the move's"
                  .formatted(move.target(), partition),
              SqlState.DUPLICATE_TABLE.code());
        }
      }
    }
  }

  private void makeTable(Connection target, String parent, String partition) throws SQLException {
    ShardSql.execute(
        target,
        "CREATE TABLE %s (LIKE %s INCLUDING ALL EXCLUDING IDENTITY)".formatted(partition, parent));
    List<String> statements = new ArrayList<>();
    statements.addAll(
        ShardSql.texts(
            target, MoveSql.ARRIVING, move.bound(), List.of(partition), List.of(parent)));
    statements.addAll(
        ShardSql.texts(source, MoveSql.OWNERSHIP, List.of(partition), List.of(partition)));
    for (String sql : statements) {
      ShardSql.execute(target, sql);
    }
  }

  /** Begins anew unless all has been copied, after which the subscription is made. */
  private void copy() throws SQLException, BusyException, InterruptedException {
    try (Connection target = targetShard.open()) {
      if (!isSubscribed(target)) {
        dropSlot();
        try (Connection rows = sources.connections().open(move.source())) {
          new PartitionCopy(move, rows, target, this::requireStage).make();
        }
      }
    }
  }

  /** Somebody may have cancelled the move. */
  private void requireStage() throws SQLException, BusyException {
    if (row().stage() != state.stage()) {
      throw new BusyException("cancelled");
    }
  }

  private boolean isSubscribed(Connection target) throws SQLException {
    return ShardSql.isTrue(target, MoveSql.SUBSCRIPTION_EXISTS, move.name());
  }

  private void subscribe() throws SQLException {
    try (Connection target = targetShard.open()) {
      if (!isSubscribed(target)) {
        ShardSql.execute(target, MoveSql.SILENCE);
        ShardSql.execute(
            target,
            "CREATE SUBSCRIPTION %1$s CONNECTION %2$s PUBLICATION %1$s WITH (create_slot = false,"
                    .formatted(
                        move.name(), MoveSql.literal(sources.addresses().apply(move.source())))
                + " copy_data = false,"
                + " slot_name = '%s', synchronous_commit = 'on')".formatted(move.name()));
      }
    }
  }

  private MoveState caughtUp(MoveState now) throws SQLException {
    try (Connection target = targetShard.open()) {
      boolean counted =
          target.getMetaData().getDatabaseMajorVersion() >= FIRST_VERSION_WITH_FAILURES;
      long failures = counted ? MoveRows.number(target, MoveSql.FAILURES, move.name()) : 0;
      if (failuresBefore < 0) {
        failuresBefore = failures;
      }
      if (failures - failuresBefore >= MOST_FAILURES_TO_FOLLOW) {
        return now.refused(
            "the target has failed %d times to follow: see the log of shard %s"
                .formatted(MOST_FAILURES_TO_FOLLOW, move.target()));
      }
      if (!hasSlot()) {
        return now.refused(SLOT_GONE);
      }
      return cutover.isNear() ? now.succeeded() : now.notYet("");
    }
  }

  /** What clients do with the tables after the switch is planned well from the beginning. */
  private void analyze() throws SQLException, InterruptedException {
    try (Connection target = targetShard.open()) {
      for (String partition : move.partitions()) {
        long begun = System.nanoTime();
        ShardSql.execute(target, "ANALYZE " + partition);
        RowComparison.restSince(begun);
      }
    }
  }

  // ---- the end

  private void unsubscribe() throws SQLException {
    try (Connection target = targetShard.open()) {
      if (isSubscribed(target)) {
        ShardSql.execute(target, "ALTER SUBSCRIPTION " + move.name() + " DISABLE");
        ShardSql.execute(target, "ALTER SUBSCRIPTION " + move.name() + " SET (slot_name = NONE)");
        ShardSql.execute(target, "DROP SUBSCRIPTION " + move.name());
      }
    }
  }

  private void dropSlot() throws SQLException {
    ShardSql.texts(source, MoveSql.END_WALSENDER, move.name());
    ShardSql.texts(source, MoveSql.DROP_SLOT, move.name());
  }

  private void unpublish() throws SQLException {
    inTransaction(
        source,
        () -> {
          ShardSql.execute(source, Cutover.GIVING_WAY);
          ShardSql.execute(source, "DROP PUBLICATION IF EXISTS " + move.name());
          for (String table : ShardSql.texts(source, MoveSql.IDENTIFIED, move.id())) {
            ShardSql.execute(
                source, "ALTER TABLE IF EXISTS " + table + " REPLICA IDENTITY DEFAULT");
          }
          ShardSql.execute(source, MoveSql.WRITE_IDENTIFIED, List.of(), move.id());
        });
  }

  /**
   * Only when the target's part of the switch is not prepared any more. What clients have done with
   * the tables since then does not count.
   */
  private MoveState confirm(MoveState now) throws SQLException, InterruptedException {
    try (Connection target = targetShard.open()) {
      if (ShardSql.isTrue(target, MoveSql.IS_BEING_ATTACHED, move.partitions())) {
        return now.failed("the switch is not over on shard " + move.target());
      }
    }
    Optional<String> fault = cutover.differenceInSwitch();
    return fault.isPresent() ? now.keeps(kept(fault.get())) : now.succeeded();
  }

  private void dropSource() throws SQLException {
    for (int i = 0; i < move.partitions().size(); i++) {
      ShardSql.execute(source, "DROP TABLE IF EXISTS " + move.emptied(i));
    }
  }

  private void dropTarget() throws SQLException {
    try (Connection target = targetShard.open()) {
      for (String table : ShardSql.texts(target, MoveSql.ARRIVED, move.partitions())) {
        inTransaction(
            target,
            () -> {
              ShardSql.execute(target, Cutover.GIVING_WAY);
              ShardSql.execute(target, "DROP TABLE " + table);
            });
      }
    }
  }

  private static void inTransaction(Connection connection, SqlWork work) throws SQLException {
    connection.setAutoCommit(false);
    try {
      work.run();
      connection.commit();
    } finally {
      if (!connection.isClosed()) {
        connection.rollback();
        connection.setAutoCommit(true);
      }
    }
  }

  private interface SqlWork {
    void run() throws SQLException;
  }

  @Override
  public void close() {
    cutover.close();
    ShardSql.close(source);
  }

  @Override
  public String toString() {
    return "a move from " + sourceShard.name() + " to " + targetShard.name();
  }
}
