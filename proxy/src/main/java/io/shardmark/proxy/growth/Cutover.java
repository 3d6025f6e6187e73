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
import java.util.Set;
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

  /** For all of a moment; then clients go on, and it is tried again later. */
  private static final Duration MOMENT = Duration.ofMillis(800);

  /** Of one partition. */
  private static final Duration LONGEST_COMPARISON = Duration.ofHours(2);

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(5);

  /**
   * The mover finds a deadlock with a client's transaction before that does, and gives way. A wait
   * of that length also ends an autovacuum.
   */
  static final String GIVING_WAY =
      "SET LOCAL deadlock_timeout = 20; SET LOCAL lock_timeout = 100; SET LOCAL statement_timeout ="
          + " 0";

  /** For statements while clients wait. */
  private static final String LIMITED =
      "SET LOCAL statement_timeout = 2000; SET LOCAL constraint_exclusion = on";

  private final Agreement agreement;
  private final PartitionMove move;
  private final ShardAccess sourceShard;
  private final ShardAccess targetShard;
  private final Connection source;

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
      int number = 1 + ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE - 1);
      for (Connection each : marked) {
        ShardSql.execute(each, moves.mark(number));
      }
      CompletableFuture<String> answer = new CompletableFuture<>();
      moves.keepOff(number, hold, null, answer::complete);
      try {
        String why = answer.get(Math.max(1, until - System.nanoTime()), TimeUnit.NANOSECONDS);
        if (!why.isEmpty()) {
          throw new BusyException(why);
        }
      } catch (TimeoutException e) {
        throw new BusyException("not all proxies have answered");
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
  }

  // ---- compare

  /** The first difference between the partitions of both shards, if there is one. */
  Optional<String> difference() throws SQLException, BusyException, InterruptedException {
    try (Connection ofSource = snapshotConnection(sourceShard);
        Connection ofTarget = snapshotConnection(targetShard)) {
      source.setAutoCommit(false);
      try {
        long until = System.nanoTime() + MOMENT.toNanos();
        keepBack(move.parents(), Manner.TRANSACTIONS, until, source);
        lock(until, new TableLock(source, move.partitions(), "SHARE"));
        awaitLevel(ofSource, until);
        ShardSql.texts(ofSource, "SELECT 1");
        ShardSql.texts(ofTarget, "SELECT 1");
      } finally {
        end(source);
      }
      Optional<String> difference = difference(ofSource, move.partitions(), ofTarget);
      return difference.isPresent() ? difference : brokenKey(ofTarget);
    }
  }

  /**
   * @param names of the partitions on the source
   */
  private Optional<String> difference(Connection ofSource, List<String> names, Connection ofTarget)
      throws SQLException {
    for (int i = 0; i < names.size(); i++) {
      String partition = move.partitions().get(i);
      String there = ShardSql.texts(ofSource, MoveSql.fingerprint(names.get(i))).get(0);
      String here = ShardSql.texts(ofTarget, MoveSql.fingerprint(partition)).get(0);
      if (!there.equals(here)) {
        return Optional.of(
            "%s has %s on %s and %s on %s"
                .formatted(partition, there, sourceShard.name(), here, targetShard.name()));
      }
    }
    return Optional.empty();
  }

  /** A foreign key that would not hold on the target, where the partitions have none yet. */
  private Optional<String> brokenKey(Connection ofTarget) throws SQLException {
    for (int i = 0; i < move.partitions().size(); i++) {
      String partition = move.partitions().get(i);
      for (String sql :
          ShardSql.texts(
              ofTarget,
              MoveSql.KEY_CHECKS,
              partition,
              move.parents(),
              move.partitions(),
              move.parents().get(i))) {
        List<String> broken = ShardSql.texts(ofTarget, sql);
        if (!broken.isEmpty()) {
          return Optional.of(
              "%s of %s does not hold on %s"
                  .formatted(broken.get(0), partition, targetShard.name()));
        }
      }
    }
    return Optional.empty();
  }

  /**
   * The first difference between what was detached on the source and what the target had then, or
   * why that cannot be known.
   */
  Optional<String> differenceInSwitch() throws SQLException {
    Connection ofTarget = inSwitch;
    if (ofTarget == null || !sees(ofTarget)) {
      return Optional.of(
          "the rows have not been compared as of the switch: the connection of the proxy was lost");
    }
    List<String> emptied =
        IntStream.range(0, move.partitions().size()).mapToObj(move::emptied).toList();
    try (Connection ofSource = snapshotConnection(sourceShard)) {
      Optional<String> difference = difference(ofSource, emptied, ofTarget);
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
  void switchOver() throws SQLException, BusyException, InterruptedException {
    close();
    try (Connection target = targetShard.open();
        Connection clock = snapshotConnection(sourceShard)) {
      awaitSnapshots(target, MoveSql.A_SECOND_AGO, System.nanoTime()); // before clients wait
      source.setAutoCommit(false);
      target.setAutoCommit(false);
      List<String> locked = new ArrayList<>(move.parents());
      // ATTACH and DETACH lock these as well; by then they must not wait for clients.
      locked.addAll(ShardSql.texts(source, MoveSql.OTHERS_OF_KEYS, move.parents(), move.parents()));
      long until = System.nanoTime() + MOMENT.toNanos();
      try {
        keepBack(locked, Manner.TRANSACTIONS, until, source, target);
        lock(
            until,
            new TableLock(source, locked, "ACCESS EXCLUSIVE"),
            new TableLock(target, locked, "SHARE ROW EXCLUSIVE"));
        awaitLevel(clock, until);
        awaitSnapshots(target, MoveSql.NOW, until);
        keepBack(move.parents(), Manner.STATEMENTS, until, source, target);
        if (!MoveRows.isKnownToAll(source, target)) {
          throw new BusyException("a proxy does not know shard " + targetShard.name());
        }
        Connection reader = snapshotConnection(targetShard);
        inSwitch = reader;
        ShardSql.texts(reader, "SELECT 1");
        attach(target);
        detach();
        commit(target);
      } finally {
        try {
          end(source); // first: the target may be lost
        } finally {
          end(target);
        }
      }
    }
  }

  /**
   * Foreign keys come now and not with the table: until then they would keep clients from deleting
   * rows that only the copy refers to. They hold: the comparison has checked that.
   */
  private void attach(Connection target) throws SQLException {
    ShardSql.execute(target, LIMITED);
    for (int i = 0; i < move.partitions().size(); i++) {
      String partition = move.partitions().get(i);
      for (String key :
          ShardSql.texts(target, MoveSql.MISSING_KEYS, partition, move.parents().get(i))) {
        ShardSql.execute(
            target, "ALTER TABLE %s ADD CONSTRAINT %s NOT VALID".formatted(partition, key));
      }
    }
    ShardSql.execute(target, MoveSql.DECLARE_VALID, move.partitions());
    for (int i = 0; i < move.partitions().size(); i++) {
      String partition = move.partitions().get(i);
      ShardSql.execute(
          target,
          "ALTER TABLE %s ATTACH PARTITION %s %s"
              .formatted(move.parents().get(i), partition, move.bound()));
      ShardSql.execute(target, MoveSql.dropMark(partition));
    }
  }

  /** Those that others refer to come last. */
  private void detach() throws SQLException {
    ShardSql.execute(source, LIMITED);
    for (int i = move.partitions().size() - 1; i >= 0; i--) {
      String partition = move.partitions().get(i);
      detach(move.parents().get(i), partition);
      for (String key : ShardSql.texts(source, MoveSql.FOREIGN_KEYS, partition)) {
        ShardSql.execute(source, "ALTER TABLE %s DROP CONSTRAINT %s".formatted(partition, key));
      }
      ShardSql.execute(source, "ALTER TABLE %s SET SCHEMA shardmark".formatted(partition));
      ShardSql.execute(
          source,
          "ALTER TABLE shardmark.%s RENAME TO %s"
              .formatted(unqualified(partition), unqualified(move.emptied(i))));
    }
  }

  /**
   * PostgreSQL reads all rows that may refer to one of the partition. None can: their keys have the
   * sharding column, and the partitions of its value are detached before. A CHECK by which the
   * partition is empty spares the time; it is there in this transaction only.
   */
  private void detach(String parent, String partition) throws SQLException {
    boolean referredTo = ShardSql.isTrue(source, MoveSql.IS_REFERRED_TO, partition);
    if (referredTo) {
      for (String sql : ShardSql.texts(source, MoveSql.LEAVING, move.bound(), partition, parent)) {
        ShardSql.execute(source, sql);
      }
      ShardSql.execute(source, MoveSql.DECLARE_VALID, List.of(partition));
      // Has the planner read the constraints again.
      ShardSql.execute(
          source, "ALTER TABLE %s SET (autovacuum_enabled = off)".formatted(partition));
    }
    ShardSql.execute(source, "ALTER TABLE %s DETACH PARTITION %s".formatted(parent, partition));
    if (referredTo) {
      ShardSql.execute(source, MoveSql.DROP_LEAVING.formatted(partition));
    }
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

  private void keepBack(List<String> tables, Manner manner, long until, Connection... marked)
      throws SQLException, BusyException, InterruptedException {
    Set<String> names =
        tables.stream()
            .map(table -> unqualified(table).replaceAll("^\"|\"$", "").replace("\"\"", "\""))
            .collect(Collectors.toSet());
    agreement.keepBack(new Hold(names, manner), until, marked);
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
