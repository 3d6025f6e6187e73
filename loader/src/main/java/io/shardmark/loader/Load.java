package io.shardmark.loader;

import io.shardmark.config.FileFault;
import io.shardmark.config.LoadConfig;
import io.shardmark.config.LoadDirect;
import io.shardmark.loader.data.DataSet;
import io.shardmark.loader.data.DataTable;
import io.shardmark.loader.data.Origin;
import io.shardmark.loader.data.RowWriteException;
import io.shardmark.loader.writer.CsvFiles;
import io.shardmark.loader.writer.CsvUnitWriter;
import io.shardmark.sql.jdbc.ConnectionSource;
import io.shardmark.sql.jdbc.Tables;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Loads a data set into a database or into CSV files.
 *
 * <p>A load into a database can be interrupted at any time and run again with the same
 * configuration: units that were committed stay, the others are loaded, and the rows are those of a
 * load that was never interrupted. The data set's last table is filled last, so that nothing takes
 * a partial load for a whole one. Several processes may load ranges of units into one database; the
 * one that has unit 0 fills the last table.
 *
 * <p>One object is one load. {@link #run} may be called once; {@link #stop} from any thread.
 */
public final class Load {
  static final LocalDateTime TIME_OF_GIVEN_SEED = LocalDateTime.of(2020, 1, 1, 0, 0);

  private final LoadConfig config;
  private final DataSet data;
  private final Origin wanted;
  private final LoadListener listener;
  private final AtomicBoolean stop = new AtomicBoolean();
  private final CountDownLatch ended = new CountDownLatch(1);

  /** What becomes of the journal when all rows are there. */
  public enum CompleteLoad {
    /** It goes, and the database counts as loaded. */
    DROPS_JOURNAL,
    /** It stays until {@link #endBuild}: the keys are still to be built. */
    KEEPS_JOURNAL
  }

  /**
   * @param now the time that rows are given if the seed was drawn; an interrupted load keeps the
   *     one it started with. With a seed that was asked for, rows and their times depend on it
   *     alone
   */
  public Load(DataSet data, LoadConfig config, LocalDateTime now, LoadListener listener) {
    this.data = data;
    this.config = config;
    LocalDateTime loadTime = config.seedDrawn() ? now : TIME_OF_GIVEN_SEED;
    wanted = new Origin(config.seed(), loadTime);
    this.listener = listener;
  }

  /**
   * Loads a database that may have shards. Blocks until all rows are committed.
   *
   * @param source of the endpoint, for several threads; not used if the configuration asks for CSV
   *     files
   * @param shards of it, as they were when the tables were there
   * @param complete not used for CSV files
   * @throws LoadException if the load is not complete, for whatever reason
   */
  public LoadSummary run(
      ConnectionSource source, Optional<ShardTarget> shards, CompleteLoad complete)
      throws LoadException {
    long start = System.nanoTime();
    try {
      long rows =
          config.filePrefix().isPresent()
              ? loadFiles(config.filePrefix().get())
              : loadDatabase(source, shards, complete);
      listener.loadCompleted();
      return new LoadSummary(rows, Duration.ofNanos(System.nanoTime() - start));
    } catch (SQLException | IOException | RowWriteException e) {
      throw new LoadException(message(e), e);
    } finally {
      listener.loadEnded();
      ended.countDown();
    }
  }

  /**
   * Ends the load after the rows that are on their way, and waits for that. For shutdown hooks.
   *
   * @return false if the load did not end in that time
   */
  public boolean stop(Duration patience) throws InterruptedException {
    stop.set(true);
    return ended.await(patience.toMillis(), TimeUnit.MILLISECONDS);
  }

  private long loadDatabase(
      ConnectionSource source, Optional<ShardTarget> shards, CompleteLoad complete)
      throws SQLException, LoadException {
    JournalLayout layout = JournalLayout.of(data, shards.map(ShardTarget::map));
    DatabaseState.Start start;
    DatabaseState.SeedChoice seedChoice =
        config.seedDrawn() ? DatabaseState.SeedChoice.DRAWN : DatabaseState.SeedChoice.GIVEN;
    try (Connection connection = source.open()) {
      connection.setAutoCommit(false);
      start = new DatabaseState(data, connection, layout).begin(wanted, seedChoice, listener);
    }
    DatabaseSession.Setup setup =
        new DatabaseSession.Setup(data, start.origin(), layout, stop::get);
    UnitQueue queue = new UnitQueue(data, start.done(), listener);
    if (queue.alreadyDone() > 0) {
      listener.note(
          "%d of %d parts are loaded already".formatted(queue.alreadyDone(), queue.total()));
    }
    loadUnits(queue, sessions(source, shards, setup), RERUN);
    finish(source, setup, start.lastLoaded(), complete);
    return queue.rows();
  }

  private UnitSession.Factory sessions(
      ConnectionSource source, Optional<ShardTarget> shards, DatabaseSession.Setup setup)
      throws LoadException {
    if (shards.isPresent() && setup.layout().isSpread()) {
      Optional<DirectShards> direct =
          DirectShards.find(shards.get(), config.direct(), setup, listener);
      if (direct.isPresent()) {
        return () -> direct.get().session(source, setup);
      }
    } else if (config.direct() == LoadDirect.ALWAYS) {
      throw new LoadException(
          "loadDirect=true: the database does not say which shards it has, or they are not known"
              + " apart by a hash of the "
              + data.partitioning().map(DataSet.Partitioning::column).orElse("first key column"));
    }
    return () -> DatabaseSession.open(source, setup);
  }

  private static final String RERUN = "run it again to load the rest";
  private static final String RESTART = "the files are not complete; run it again";

  private void finish(
      ConnectionSource source,
      DatabaseSession.Setup setup,
      boolean lastLoaded,
      CompleteLoad complete)
      throws SQLException {
    try (DatabaseSession session = DatabaseSession.open(source, setup)) {
      Optional<DataTable> last = data.lastTable();
      if (last.isPresent() && data.firstUnit() == 0 && !lastLoaded) {
        session.loadLast(last.get());
      }
      if (complete == CompleteLoad.DROPS_JOURNAL) {
        session.journal().dropIfComplete(data);
      }
    }
  }

  /**
   * Drops the journal that {@link CompleteLoad#KEEPS_JOURNAL} left, unless units are missing. Last
   * of all steps of a build: a database with a journal is one whose build did not end.
   *
   * @param source of the endpoint
   */
  public static void endBuild(ConnectionSource source, DataSet data) throws SQLException {
    try (Connection connection = source.open()) {
      connection.setAutoCommit(false);
      new LoadJournal(connection, JournalLayout.of(data, Optional.empty())).dropIfComplete(data);
    }
  }

  /**
   * Drops what is recorded of a load whose tables are gone.
   *
   * @param source of the endpoint
   */
  public static void forget(ConnectionSource source, DataSet data) throws SQLException {
    try (Connection connection = source.open()) {
      if (Tables.exists(connection, data.journalTable())) {
        connection.setAutoCommit(false);
        new LoadJournal(connection, JournalLayout.of(data, Optional.empty())).drop();
      }
    }
  }

  private long loadFiles(String prefix) throws IOException, LoadException {
    Set<DataTable> tables = tables();
    try (CsvFiles files = new CsvFiles(prefix, tables)) {
      Optional<DataTable> last = data.lastTable().filter(tables::contains);
      if (last.isPresent()) {
        new UnitRows(data.rows(wanted), csvWriter(files)).writeLast(last.get());
      }
      UnitQueue queue = new UnitQueue(data, new BitSet(), listener);
      loadUnits(queue, () -> new UnitRows(data.rows(wanted), csvWriter(files)), RESTART);
      return queue.rows();
    }
  }

  /** The tables that this process fills. */
  private Set<DataTable> tables() {
    Set<DataTable> tables = new LinkedHashSet<>();
    if (data.firstUnit() == 0) {
      data.lastTable().ifPresent(tables::add);
    }
    for (int number = data.firstUnit(); number < data.endUnit(); number++) {
      tables.addAll(data.unit(number).tables());
    }
    return tables;
  }

  private CsvUnitWriter csvWriter(CsvFiles files) {
    return new CsvUnitWriter(files, config.csvNullValue(), stop::get);
  }

  private void loadUnits(UnitQueue queue, UnitSession.Factory sessions, String whatToDo)
      throws LoadException {
    listener.loadStarted(queue.expectedRows());
    LoadWorkers workers = new LoadWorkers(queue, listener, stop);
    @Nullable Throwable failure;
    try {
      failure = workers.run(config.workers(), sessions);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failure = null;
    }
    if (queue.missing() > 0) {
      String cause = failure == null ? "the load was stopped" : message(failure);
      throw new LoadException(
          "%s%n%d of %d parts are missing; %s"
              .formatted(cause, queue.missing(), queue.total(), whatToDo),
          failure);
    }
  }

  private static String message(Throwable failure) {
    String message = failure.getMessage();
    return failure instanceof IOException fault
        ? "cannot write " + FileFault.message(fault)
        : message == null ? failure.toString() : message;
  }
}
