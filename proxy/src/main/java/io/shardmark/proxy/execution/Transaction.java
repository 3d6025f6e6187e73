package io.shardmark.proxy.execution;

import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.protocol.TransactionStatus;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.TransactionMode;
import io.shardmark.proxy.settings.Settings;
import io.shardmark.proxy.shardmap.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A client's transaction, whatever shards it is on. Belongs to the session. */
public final class Transaction {
  /** How the transaction began. */
  public enum EndMode {
    /** There is none: each statement, or pipeline up to Sync, is alone on its shard. */
    NONE,
    /** The proxy needs one for a statement or pipeline on several shards. */
    IMPLICIT,
    /** The client said BEGIN. */
    EXPLICIT
  }

  /** Whether it can go on. */
  private enum Standing {
    SOUND,
    /** Only its end is allowed, or a savepoint before the failure. */
    FAILED,
    /** A shard's part is gone: no savepoint brings it back. */
    LOST,
    /** Servers have rolled it back already: there was no savepoint to go back to. */
    UNDONE
  }

  /**
   * A savepoint, to be repeated on shards enlisted later.
   *
   * @param name as the server knows it
   * @param modes of the transaction when it was set
   * @param lockedCopies what it had locked on all shards by then
   */
  public record TransactionSavepoint(
      String name, List<TransactionMode> modes, List<TableName> lockedCopies) {}

  /**
   * The proxy's own, after the last write of a transaction that becomes read only: released, the
   * transaction can write again (PG18 sql-set-transaction), as the decision of its commit must.
   */
  public static final String BEFORE_READ_ONLY = "shardmark:read only";

  private EndMode mode = EndMode.NONE;
  private Standing standing = Standing.SOUND;
  private long number;
  private long startNanos;
  private Optional<ErrorFields> unreportedLoss = Optional.empty();
  private List<TransactionMode> modes = List.of();

  /** Those of {@link #modes} that a failure does not undo. */
  private List<TransactionMode> chainedModes = List.of();

  private List<TransactionSavepoint> savepoints = List.of();
  private Optional<SnapshotId> snapshot = Optional.empty();
  private List<TableName> lockedCopies = List.of();

  /** The latest one whose BEGIN came after a query in the pipeline; 0: none. */
  private long numberAfterQuery;

  public EndMode mode() {
    return mode;
  }

  /**
   * Refuses what cannot be among other statements.
   *
   * @throws StatementException if there is a transaction
   */
  public void refuseInside(String tag) {
    if (mode != EndMode.NONE) {
      throw new StatementException(
          SqlState.ACTIVE_SQL_TRANSACTION, tag + " cannot run inside a transaction block");
    }
  }

  /** Counts the session's transactions. */
  public long number() {
    return number;
  }

  /** When it began, by {@link System#nanoTime}. */
  public long startNanos() {
    return startNanos;
  }

  public boolean isFailed() {
    return standing != Standing.SOUND;
  }

  public void fail() {
    if (standing == Standing.SOUND) {
      standing = Standing.FAILED;
    }
  }

  /**
   * In a failed transaction only its end and an empty text are allowed.
   *
   * @throws StatementException for any other statement
   */
  public void refuseIfFailed(PlannedStatement statement) {
    if (isFailed() && !statement.isForFailed()) {
      refuseIfFailed();
    }
  }

  /**
   * The same for what ends none.
   *
   * @throws StatementException in PostgreSQL's words, or that a shard has been lost
   */
  public void refuseIfFailed() {
    if (!isFailed()) {
      return;
    }
    throw unreportedLoss
        .map(StatementException::new)
        .orElseGet(
            () ->
                new StatementException(
                    SqlState.IN_FAILED_SQL_TRANSACTION,
                    "current transaction is aborted, commands ignored until end of transaction"
                        + " block"));
  }

  /** Whether there is no savepoint to go back to. */
  public boolean isFailedForGood() {
    return switch (standing) {
      case SOUND -> false;
      case FAILED -> savepoints.isEmpty();
      case LOST, UNDONE -> true;
    };
  }

  /** Whether servers have rolled it back already. */
  public boolean isUndoneEarly() {
    return standing == Standing.UNDONE;
  }

  public void undoneEarly() {
    standing = Standing.UNDONE;
  }

  /**
   * A shard's part is gone with its connection: no savepoint brings it back, and a client that has
   * seen no error yet must not take the end of it for a commit.
   */
  public void lose(ErrorFields error) {
    if (standing != Standing.UNDONE) {
      standing = Standing.LOST;
    }
    unreportedLoss = Optional.of(error);
  }

  /** The client has been sent an error. */
  public void lossReported() {
    unreportedLoss = Optional.empty();
  }

  /** The loss that the client does not know of. */
  public Optional<ErrorFields> unreportedLoss() {
    return unreportedLoss;
  }

  /** Back at a savepoint. */
  public void recover(TransactionSavepoint savepoint) {
    modes = savepoint.modes();
    lockedCopies = savepoint.lockedCopies();
    if (standing == Standing.FAILED) {
      standing = Standing.SOUND;
    }
  }

  /** Begins with the modes after BEGIN. */
  public void begin(EndMode how, List<TransactionMode> newModes) {
    mode = how;
    number++;
    startNanos = System.nanoTime();
    modes = newModes;
  }

  /**
   * A query of the same pipeline came before it, or in it, which servers of the transaction do not
   * know of: modes that belong before the first query are too late.
   */
  public void followQuery() {
    numberAfterQuery = number;
  }

  public boolean followsQuery() {
    return numberAfterQuery == number;
  }

  /** Begins after the end of another by AND CHAIN, with the modes that it left. */
  public void beginChained(List<TransactionMode> left) {
    begin(EndMode.EXPLICIT, left);
    chainedModes = left;
  }

  /** BEGIN inside an implicit transaction. */
  public void makeExplicit() {
    mode = EndMode.EXPLICIT;
  }

  public void end() {
    mode = EndMode.NONE;
    standing = Standing.SOUND;
    unreportedLoss = Optional.empty();
    modes = List.of();
    chainedModes = List.of();
    savepoints = List.of();
    snapshot = Optional.empty();
    lockedCopies = List.of();
  }

  /** It has locked these tables on all shards. */
  public void lockedCopies(List<TableName> tables) {
    lockedCopies = Stream.concat(lockedCopies.stream(), tables.stream()).distinct().toList();
  }

  /** Whether it holds such locks on all of these: it has none that it took after a savepoint. */
  public boolean hasLockedCopies(List<TableName> tables) {
    return lockedCopies.containsAll(tables);
  }

  /** Its snapshot is that of another transaction. */
  public void useSnapshot(SnapshotId id) {
    snapshot = Optional.of(id);
  }

  /** The snapshot that it has from another transaction. */
  public Optional<SnapshotId> snapshot() {
    return snapshot;
  }

  public List<TransactionMode> modes() {
    return modes;
  }

  /**
   * What AND CHAIN gives the transaction after a ROLLBACK: the modes before the client's first
   * savepoint, or, if there is none, what a failure has left of them: it undoes what BEGIN and SET
   * TRANSACTION have set, but not what the transaction has from AND CHAIN itself.
   */
  public List<TransactionMode> modesBehindRollback() {
    return savepoints.stream()
        .filter(savepoint -> !savepoint.name().equals(BEFORE_READ_ONLY))
        .findFirst()
        .map(TransactionSavepoint::modes)
        .orElse(isFailed() ? chainedModes : modes);
  }

  public void addModes(List<TransactionMode> more) {
    modes = Stream.concat(modes.stream(), more.stream()).toList();
  }

  public List<TransactionSavepoint> savepoints() {
    return savepoints;
  }

  public void addSavepoint(String name) {
    if (savepoints.isEmpty()) {
      savepoints = new ArrayList<>();
    }
    savepoints.add(new TransactionSavepoint(name, modes, lockedCopies));
  }

  /** The latest savepoint of that name, or -1. */
  public int savepoint(String name) {
    for (int i = savepoints.size() - 1; i >= 0; i--) {
      if (savepoints.get(i).name().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  /** {@link #BEFORE_READ_ONLY} if its commit finds what it has written after that, else "". */
  public String ownSavepoint() {
    return savepoint(BEFORE_READ_ONLY) < 0 ? "" : BEFORE_READ_ONLY;
  }

  /** Whether it became read only after its first write. */
  public boolean becameReadOnly() {
    return !ownSavepoint().isEmpty();
  }

  /** Whether it has been read only since before the first write. */
  public boolean wroteNothing() {
    return isReadOnly() && !becameReadOnly();
  }

  /** By its own modes; the session's default is not asked. */
  public boolean isReadOnly() {
    return modes.contains(TransactionMode.READ_ONLY)
        && TransactionMode.last(modes, TransactionMode.ModeKind.ACCESS).orElseThrow()
            == TransactionMode.READ_ONLY;
  }

  /**
   * Whether servers that only read can have it: the client began it as READ ONLY, and its
   * statements each have a snapshot.
   *
   * @param settings when it began
   */
  public boolean mayReadElsewhere(Settings settings) {
    boolean readOnly =
        TransactionMode.last(modes, TransactionMode.ModeKind.ACCESS)
            .map(last -> last == TransactionMode.READ_ONLY)
            .orElseGet(
                () ->
                    settings
                        .value("default_transaction_read_only")
                        .filter("on"::equals)
                        .isPresent());
    return mode == EndMode.EXPLICIT
        && readOnly
        && !needsOneSnapshot(settings)
        && snapshot.isEmpty();
  }

  /** RELEASE of that savepoint, which also ends the modes that were set after it. */
  public void release(int savepoint) {
    modes = savepoints.get(savepoint).modes();
    dropSavepoints(savepoint);
  }

  /** Forgets savepoints from that one on. */
  public void dropSavepoints(int from) {
    savepoints.subList(from, savepoints.size()).clear();
  }

  /** What the client sees in ReadyForQuery. */
  public TransactionStatus status() {
    if (mode != EndMode.EXPLICIT) {
      return TransactionStatus.IDLE;
    }
    return isFailed() ? TransactionStatus.FAILED : TransactionStatus.IN_TRANSACTION;
  }

  /**
   * Whether all statements see one snapshot, which two shards do not have in common.
   *
   * @param settings when it began
   */
  public boolean needsOneSnapshot(Settings settings) {
    return isolationLevel(settings)
        .filter(
            level ->
                level == TransactionMode.REPEATABLE_READ || level == TransactionMode.SERIALIZABLE)
        .isPresent();
  }

  /**
   * The level that is in force, if anything has set one.
   *
   * @param settings when it began
   */
  public Optional<TransactionMode> isolationLevel(Settings settings) {
    return TransactionMode.last(modes, TransactionMode.ModeKind.ISOLATION_LEVEL)
        .or(() -> settings.value("default_transaction_isolation").flatMap(TransactionMode::level));
  }
}
