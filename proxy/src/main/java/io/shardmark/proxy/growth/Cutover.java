package io.shardmark.proxy.growth;

import io.shardmark.proxy.commit.CommitFrame;
import io.shardmark.proxy.commit.CommitSql;
import io.shardmark.proxy.commit.Gid;
import io.shardmark.proxy.commit.GidSequence;
import io.shardmark.proxy.ddl.Hold;
import io.shardmark.proxy.ddl.Hold.Manner;
import io.shardmark.proxy.ddl.MoveAgreement;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.recovery.ShardAccess;
import io.shardmark.proxy.shards.ShardSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What needs a moment in which no client writes the partitions: the comparison takes its snapshots
 * in one, and the switch is made in one. All proxies keep back the transactions that would begin to
 * use the tables, until those under way have ended and the target is level. Blocks.
 */
final class Cutover implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Cutover.class);

  /** So close to the source the target is level within a moment. */
  private static final long NEAR_BYTES = 1L << 20;

  /** Of one slice. */
  private static final Duration LONGEST_COMPARISON = Duration.ofHours(2);

  /** Modes of locks that only the switch on the source waits for. */
  private static final List<String> OF_READERS = List.of("AccessShareLock", "RowShareLock");

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(5);

  /**
   * The mover finds a deadlock with a client's transaction before that does, and gives way. A wait
   * of that length also ends an autovacuum.
   */
  static final String GIVING_WAY =
      "SET LOCAL deadlock_timeout = 20; SET LOCAL lock_timeout = 100; SET LOCAL statement_timeout ="
          + " 0";

  private final Agreement agreement;
  private final PartitionMove move;
  private final ShardAccess sourceShard;
  private final ShardAccess targetShard;
  private final Connection source;
  private final RowComparison comparison;

  /** Sees the target as it was in the latest switch that was tried. */
  private @Nullable Connection inSwitch;

  /**
   * By what the proxies of the cluster agree.
   *
   * @param recovery has what is prepared be ended soon
   */
  record Agreement(MoveAgreement moves, GidSequence gids, Runnable recovery) {
    /**
     * Until the transactions of these connections, each of which has a mark, are over.
     *
     * @param marked all that take part: one that a proxy asks without finding a mark is over for it
     */
    void keepBack(Hold hold, long until, Connection... marked)
        throws SQLException, BusyException, InterruptedException {
      await(ask(hold, marked), until);
    }

    /** The same; does not wait for the answer, which is "" or why not. */
    CompletableFuture<String> ask(Hold hold, Connection... marked) throws SQLException {
      int number = 1 + ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE - 1);
      for (Connection each : marked) {
        ShardSql.execute(each, moves.mark(number));
      }
      CompletableFuture<String> answer = new CompletableFuture<>();
      moves.keepOff(number, hold, null, answer::complete);
      return answer;
    }

    static void await(CompletableFuture<String> answer, long until)
        throws BusyException, InterruptedException {
      try {
        String why = answer.get(Math.max(1, until - System.nanoTime()), TimeUnit.NANOSECONDS);
        if (!why.isEmpty()) {
          throw new BusyException(why);
        }
      } catch (TimeoutException e) {
        throw new BusyException("transactions do not end on all proxies");
      } catch (ExecutionException e) {
        throw new IllegalStateException(e);
      }
    }

    /** Commits on all of them or on none. */
    void commit(ShardAccess decider, Connection deciding, Map<ShardAccess, Connection> others)
        throws SQLException {
      Gid gid = gids.next(List.of(decider.name()));
      boolean ended = false;
      try {
        for (Map.Entry<ShardAccess, Connection> other : others.entrySet()) {
          String shard = other.getKey().name();
          ShardSql.execute(other.getValue(), CommitSql.prepare(gid, shard, CommitFrame.NONE));
          other.getValue().setAutoCommit(true);
        }
        // If this fails, recovery knows whether it has committed.
        ShardSql.execute(deciding, CommitSql.decideAndCommit(gid, CommitFrame.NONE));
        for (Map.Entry<ShardAccess, Connection> other : others.entrySet()) {
          ShardSql.execute(other.getValue(), CommitSql.commitPrepared(gid, other.getKey().name()));
        }
        ended = true;
      } finally {
        gids.release(gid);
        if (!ended) {
          recovery.run();
        }
      }
    }
  }

  /** There was no such moment. */
  static final class BusyException extends Exception {
    private static final long serialVersionUID = 1L;

    BusyException(String message) {
      super(message);
    }
  }

  /**
   * @param source the connection that holds the move's lock
   */
  Cutover(
      Agreement agreement,
      PartitionMove move,
      ShardAccess sourceShard,
      ShardAccess targetShard,
      Connection source) {
    this.agreement = agreement;
    this.move = move;
    this.sourceShard = sourceShard;
    this.targetShard = targetShard;
    this.source = source;
    this.comparison = new RowComparison(move, sourceShard.name());
  }

  // ---- compare

  /** The first difference between the partitions of both shards, if there is one. */
  Optional<String> difference(Duration moment)
      throws SQLException, BusyException, InterruptedException {
    requireReady(source, move.partitions(), OF_READERS);
    try (Connection ofSource = snapshotConnection(sourceShard);
        Connection ofTarget = snapshotConnection(targetShard)) {
      source.setAutoCommit(false);
      try {
        long until = System.nanoTime() + moment.toNanos();
        TableLock writers = new TableLock(source, move.partitions(), "SHARE");
        try {
          lock(System.nanoTime(), writers); // then only clients of these rows wait
        } catch (BusyException e) {
          agreement.keepBack(hold(move.parents(), Manner.TRANSACTIONS), until, source);
          lock(until, writers);
        }
        awaitLevel(ofSource, until);
        ShardSql.texts(ofSource, "SELECT 1");
        ShardSql.texts(ofTarget, "SELECT 1");
      } finally {
        end(source);
      }
      Optional<String> difference = comparison.difference(ofSource, move.partitions(), ofTarget);
      return difference.isPresent() ? difference : comparison.brokenKey(ofTarget);
    }
  }

  /**
   * The first difference between what was detached on the source and what the target had then, or
   * why that cannot be known.
   */
  Optional<String> differenceInSwitch() throws SQLException, InterruptedException {
    Connection ofTarget = inSwitch;
    if (ofTarget == null || !sees(ofTarget)) {
      return Optional.of(
          "the rows have not been compared as of the switch: the connection of the proxy was lost");
    }
    List<String> emptied =
        IntStream.range(0, move.partitions().size()).mapToObj(move::emptied).toList();
    try (Connection ofSource = snapshotConnection(sourceShard)) {
      Optional<String> difference = comparison.difference(ofSource, emptied, ofTarget);
      close();
      return difference.map("the rows differ as of the switch: "::concat);
    }
  }

  /** A connection lives on after an error, and has lost its snapshot by that. */
  private static boolean sees(Connection snapshot) throws SQLException {
    try {
      return snapshot.isValid(1) && !ShardSql.texts(snapshot, "SELECT 1").isEmpty();
    } catch (SQLException e) {
      LOG.debug("the snapshot of the switch is lost: {}", e.getMessage());
      return false;
    }
  }

  @Override
  public void close() {
    ShardSql.close(inSwitch);
    inSwitch = null;
  }

  private static Connection snapshotConnection(ShardAccess shard) throws SQLException {
    Connection connection = shard.open();
    try {
      connection.setNetworkTimeout(Runnable::run, (int) LONGEST_COMPARISON.toMillis());
      ShardSql.execute(connection, MoveSql.SAME_TEXTS);
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      connection.setAutoCommit(false);
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  // ---- switch

  /** Has the tables of the target be the partitions from now on. */
  void switchOver(Duration moment) throws SQLException, BusyException, InterruptedException {
    close();
    // ATTACH and DETACH lock the others as well; by then they must not wait for clients.
    List<String> locked = new ArrayList<>(move.parents());
    locked.addAll(ShardSql.texts(source, MoveSql.OTHERS_OF_KEYS, move.parents(), move.parents()));
    requireReady(source, locked, List.of());
    try (Connection target = targetShard.open();
        Connection clock = snapshotConnection(sourceShard)) {
      requireReady(target, locked, OF_READERS);
      awaitSnapshots(target, MoveSql.A_SECOND_AGO, System.nanoTime());
      Connection reader = snapshotConnection(targetShard);
      source.setAutoCommit(false);
      target.setAutoCommit(false);
      MomentLimit limit = new MomentLimit(System.nanoTime() + moment.toNanos());
      try {
        switchOver(target, clock, reader, locked, limit);
      } catch (SQLException e) {
        if (limit.leftMillis() <= 0) {
          LOG.debug("move {}: {}", move.id(), e.getMessage());
          throw new BusyException("the switch takes too long");
        }
        throw e;
      } finally {
        if (inSwitch == null) {
          ShardSql.close(reader);
        }
        try {
          end(source); // first: the target may be lost
        } finally {
          end(target);
        }
      }
    }
  }

  private void switchOver(
      Connection target,
      Connection clock,
      Connection reader,
      List<String> locked,
      MomentLimit limit)
      throws SQLException, BusyException, InterruptedException {
    long until = limit.untilNanos();
    agreement.keepBack(hold(locked, Manner.TRANSACTIONS), until, source, target);
    lock(
        until,
        new TableLock(source, locked, "ACCESS EXCLUSIVE"),
        new TableLock(target, locked, "SHARE ROW EXCLUSIVE"));
    awaitLevel(clock, until);
    awaitSnapshots(target, MoveSql.NOW, until);
    CompletableFuture<String> alone =
        agreement.ask(hold(move.parents(), Manner.STATEMENTS), source, target);
    ShardSql.texts(reader, "SELECT 1");
    inSwitch = reader;
    attach(limit.of(target));
    detach(limit.of(source));
    Agreement.await(alone, until);
    if (!MoveRows.isKnownToAll(source, target)) {
      throw new BusyException("a proxy does not know shard " + targetShard.name());
    }
    commit(target);
  }

  /**
   * Foreign keys come now and not with the table: until then they would keep clients from deleting
   * rows that only the copy refers to. They hold: the comparison has checked that.
   */
  private void attach(Connection target) throws SQLException {
    List<String> statements =
        new ArrayList<>(
            ShardSql.texts(target, MoveSql.MISSING_KEYS, move.partitions(), move.parents()));
    move.partitions().forEach(partition -> statements.add(MoveSql.declareValid(partition)));
    for (int i = 0; i < move.partitions().size(); i++) {
      String partition = move.partitions().get(i);
      statements.add(
          "ALTER TABLE %s ATTACH PARTITION %s %s"
              .formatted(move.parents().get(i), partition, move.bound()));
      statements.add(MoveSql.dropMark(partition));
    }
    ShardSql.execute(target, MoveSql.together(statements));
  }

  /**
   * PostgreSQL reads all rows that may refer to one of the partition. None can: their keys have the
   * sharding column, and the partitions of its value are detached before. A CHECK by which the
   * partition is empty spares the time; it is there in this transaction only.
   */
  private record Detaching(String leaving, List<String> foreignKeys) {
    List<String> statements(String parent, String partition, String emptied) {
      List<String> all = new ArrayList<>();
      if (!leaving.isEmpty()) {
        all.add(leaving);
        all.add(MoveSql.declareValid(partition));
        // Has the planner read the constraints again.
        all.add("ALTER TABLE %s SET (autovacuum_enabled = off)".formatted(partition));
      }
      all.add("ALTER TABLE %s DETACH PARTITION %s".formatted(parent, partition));
      if (!leaving.isEmpty()) {
        all.add(MoveSql.DROP_LEAVING.formatted(partition));
      }
      for (String key : foreignKeys) {
        all.add("ALTER TABLE %s DROP CONSTRAINT %s".formatted(partition, key));
      }
      all.add("ALTER TABLE %s SET SCHEMA shardmark".formatted(partition));
      all.add(
          "ALTER TABLE shardmark.%s RENAME TO %s"
              .formatted(unqualified(partition), unqualified(emptied)));
      return all;
    }
  }

  /** Those that others refer to come last. */
  private void detach(Connection source) throws SQLException {
    List<Detaching> detaching =
        ShardSql.rows(
            source,
            MoveSql.DETACHING,
            row -> new Detaching(row.getString(1), MoveRows.texts(row, 2)),
            move.bound(),
            move.partitions(),
            move.parents());
    List<String> statements = new ArrayList<>(List.of("SET LOCAL constraint_exclusion = on"));
    for (int i = move.partitions().size() - 1; i >= 0; i--) {
      statements.addAll(
          detaching
              .get(move.partitions().size() - 1 - i)
              .statements(move.parents().get(i), move.partitions().get(i), move.emptied(i)));
    }
    ShardSql.execute(source, MoveSql.together(statements));
  }

  /** The part of a quoted name after the schema's. */
  private static String unqualified(String name) {
    return name.startsWith("\"")
        ? name.replaceFirst("^\"(?:[^\"]|\"\")*\"\\.", "")
        : name.substring(name.indexOf('.') + 1);
  }

  /** The source decides, where the stage is written in the same transaction. */
  private void commit(Connection target) throws SQLException, BusyException {
    int written =
        ShardSql.execute(
            source,
            MoveSql.WRITE_STAGE,
            MoveStage.SWITCHED.word(),
            "",
            move.id(),
            List.of(MoveStage.COMPARED.word()));
    if (written != 1) {
      throw new BusyException("cancelled");
    }
    ShardSql.execute(source, GIVING_WAY);
    ShardSql.execute(target, GIVING_WAY);
    agreement.commit(sourceShard, source, Map.of(targetShard, target));
  }

  // ---- a moment without writers

  private static Hold hold(List<String> tables, Manner manner) {
    return new Hold(
        tables.stream()
            .map(table -> unqualified(table).replaceAll("^\"|\"$", "").replace("\"\"", "\""))
            .collect(Collectors.toSet()),
        manner);
  }

  /** Whether the target is so close to the source that it is level within a moment. */
  boolean isNear() throws SQLException {
    long lag = MoveRows.number(source, MoveSql.LAG, move.name());
    return lag >= 0 && lag <= NEAR_BYTES;
  }

  /** Before clients wait: that nothing can be seen for which they would wait in vain. */
  private void requireReady(Connection shard, List<String> tables, List<String> harmless)
      throws SQLException, BusyException {
    if (ShardSql.isTrue(shard, MoveSql.HAS_OLD_LOCKS, tables, harmless)) {
      throw new BusyException("transactions on the tables do not end");
    }
    if (!isNear()) {
      throw new BusyException("the target is not level");
    }
  }

  /** A lock of tables that keeps transactions on a shard out. */
  private record TableLock(Connection connection, List<String> tables, String mode) {
    /** False if transactions have locks on them. */
    boolean take() throws SQLException {
      try {
        ShardSql.execute(
            connection, "LOCK TABLE %s IN %s MODE".formatted(String.join(", ", tables), mode));
        return true;
      } catch (SQLException e) {
        String state = String.valueOf(e.getSQLState());
        if (state.equals(SqlState.LOCK_NOT_AVAILABLE.code())
            || state.equals(SqlState.DEADLOCK_DETECTED.code())) {
          return false;
        }
        throw e;
      }
    }
  }

  /**
   * All or none: a transaction may have a lock on one shard and need one on another, where no
   * server sees that it and the mover wait for each other.
   */
  private static void lock(long until, TableLock... locks)
      throws SQLException, BusyException, InterruptedException {
    for (TableLock each : locks) {
      ShardSql.execute(each.connection(), GIVING_WAY);
      ShardSql.execute(each.connection(), "SAVEPOINT before_lock");
    }
    while (true) {
      boolean taken = true;
      for (TableLock each : locks) {
        taken = taken && each.take();
      }
      if (taken) {
        return;
      }
      for (TableLock each : locks) {
        ShardSql.execute(each.connection(), "ROLLBACK TO SAVEPOINT before_lock");
      }
      if (System.nanoTime() - until > 0) {
        throw new BusyException("transactions on the tables do not end");
      }
      pause();
    }
  }

  /**
   * Waits until the target has all that was committed on the source.
   *
   * @param clock a connection to the source; its commit has the log flushed
   */
  private void awaitLevel(Connection clock, long until)
      throws SQLException, BusyException, InterruptedException {
    String position = ShardSql.texts(clock, MoveSql.POSITION).get(0);
    clock.commit();
    while (!ShardSql.isTrue(source, MoveSql.IS_LEVEL, position, move.name())) {
      if (System.nanoTime() - until > 0) {
        throw new BusyException("the target is not level");
      }
      pause();
    }
  }

  /** A transaction with an older snapshot would not see all rows of the target. */
  private static void awaitSnapshots(Connection target, String olderThan, long until)
      throws SQLException, BusyException, InterruptedException {
    String level = ShardSql.texts(target, olderThan).get(0);
    while (ShardSql.isTrue(target, MoveSql.HAS_SNAPSHOT_BEFORE, level)) {
      if (System.nanoTime() - until > 0) {
        throw new BusyException("transactions with older snapshots do not end");
      }
      pause();
      // A transaction sees the activity as it was at its first look.
      ShardSql.texts(target, "SELECT pg_stat_clear_snapshot()::text");
    }
  }

  private static void pause() throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(BETWEEN_LOOKS.toNanos());
  }

  /** What is open is rolled back; a broken connection has done so itself. */
  static void end(Connection connection) throws SQLException {
    if (!connection.isClosed() && !connection.getAutoCommit()) {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }
}
