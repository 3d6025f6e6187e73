package io.shardmark.loader;

import io.shardmark.config.ConfigException;
import io.shardmark.config.FileFault;
import io.shardmark.config.LoadConfig;
import io.shardmark.config.LoadDirect;
import io.shardmark.loader.data.RowWriteException;
import io.shardmark.loader.population.Population;
import io.shardmark.loader.population.PopulationTable;
import io.shardmark.loader.writer.CsvFiles;
import io.shardmark.loader.writer.CsvUnitWriter;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Loads the TPC-C population (clause 4.3.3) into a database or into CSV files.
 *
 * <p>A load into a database can be interrupted at any time and run again with the same
 * configuration: units that were committed stay, the others are loaded, and the rows are those of a
 * load that was never interrupted. {@code bmsql_config} is filled last, so that nothing takes a
 * partial load for a whole one. Several processes may load ranges of warehouses into one database;
 * the one that holds warehouse 1 loads the items and {@code bmsql_config}.
 *
 * <p>One object is one load. {@link #run} may be called once; {@link #stop} from any thread.
 */
public final class Load {
  static final LocalDateTime TIME_OF_GIVEN_SEED = LocalDateTime.of(2020, 1, 1, 0, 0);

  private final LoadConfig config;
  private final Population wanted;
  private final LoadListener listener;
  private final StopSignal stop = new StopSignal();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final LongAdder rowsWritten = new LongAdder();

  /**
   * @param now the time that rows are given if the seed was drawn; an interrupted load keeps the
   *     one it started with. With a seed that was asked for, rows and their times depend on it
   *     alone
   * @throws ConfigException if more warehouses are asked for than history ids can count
   */
  public Load(LoadConfig config, LocalDateTime now, LoadListener listener) {
    if (config.warehouses() > Population.MOST_WAREHOUSES) {
      throw new ConfigException(
          "warehouses=%d: at most %d, because bmsql_history.hist_id is an integer"
              .formatted(config.warehouses(), Population.MOST_WAREHOUSES));
    }
    this.config = config;
    LocalDateTime loadTime = config.seedDrawn() ? now : TIME_OF_GIVEN_SEED;
    wanted = new Population(config.seed(), config.warehouses(), loadTime);
    this.listener = listener;
  }

  /**
   * Loads. Blocks until all rows are committed.
   *
   * @param source of the database; not used if the configuration asks for CSV files
   * @throws LoadException if the load is not complete, for whatever reason
   */
  public LoadSummary run(ConnectionSource source) throws LoadException {
    return run(source, Optional.empty());
  }

  /**
   * Loads a database that may have shards. Blocks until all rows are committed.
   *
   * @param source of the endpoint; not used if the configuration asks for CSV files
   * @param shards behind it, as they were when the tables were there
   * @throws LoadException if the load is not complete, for whatever reason
   */
  public LoadSummary run(ConnectionSource source, Optional<ShardTarget> shards)
      throws LoadException {
    long start = System.nanoTime();
    try {
      if (config.filePrefix().isPresent()) {
        loadFiles(config.filePrefix().get());
      } else {
        loadDatabase(source, shards);
      }
      listener.loadCompleted();
    } catch (SQLException | IOException | RowWriteException e) {
      throw new LoadException(Messages.of(e), e);
    } finally {
      listener.loadEnded();
      ended.countDown();
    }
    return new LoadSummary(rowsWritten.sum(), Duration.ofNanos(System.nanoTime() - start));
  }

  /**
   * Ends the load after the rows that are on their way, and waits for that. For shutdown hooks.
   *
   * @return false if the load did not end in that time
   */
  public boolean stop(Duration patience) throws InterruptedException {
    stop.set();
    return ended.await(patience.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void loadDatabase(ConnectionSource source, Optional<ShardTarget> shards)
      throws SQLException, LoadException {
    JournalLayout layout = JournalLayout.of(shards.map(ShardTarget::map));
    DatabaseState.Start start;
    DatabaseState.SeedChoice seedChoice =
        config.seedDrawn() ? DatabaseState.SeedChoice.DRAWN : DatabaseState.SeedChoice.GIVEN;
    try (Connection connection = source.open()) {
      connection.setAutoCommit(false);
      start = new DatabaseState(connection, layout).begin(wanted, seedChoice, listener);
    }
    DatabaseSession.Setup setup = new DatabaseSession.Setup(start.population(), layout, stop);
    UnitPlan plan = plan(start.done());
    if (plan.alreadyDone() > 0) {
      listener.note(
          "%d of %d parts are loaded already".formatted(plan.alreadyDone(), plan.total()));
    }
    loadUnits(plan, sessions(source, shards, setup), RERUN);
    finish(source, setup, start.configLoaded());
  }

  private UnitSession.Factory sessions(
      ConnectionSource source, Optional<ShardTarget> shards, DatabaseSession.Setup setup)
      throws LoadException {
    if (shards.isPresent() && setup.layout().isSpread()) {
      Optional<DirectShards> direct =
          DirectShards.find(
              shards.get(), config.direct(), Parameters.of(setup.population()), listener);
      if (direct.isPresent()) {
        return () -> new ShardedSession(source, direct.get(), setup);
      }
    } else if (config.direct() == LoadDirect.ALWAYS) {
      throw new LoadException(
          "loadDirect=true: the database does not say which shards it has, or they are not told apart by a hash of the warehouse");
    }
    return () -> DatabaseSession.open(source, setup);
  }

  private static final String RERUN = "run it again to load the rest";
  private static final String RESTART = "the files are not complete; run it again";

  private void finish(ConnectionSource source, DatabaseSession.Setup setup, boolean configLoaded)
      throws SQLException {
    try (DatabaseSession session = DatabaseSession.open(source, setup)) {
      if (config.warehouseFrom() == 1 && !configLoaded) {
        session.loadConfig();
      }
      if (session.journal().done().cardinality() == UnitPlan.unitsOf(config.warehouses())) {
        session.journal().drop();
      }
    }
  }

  private void loadFiles(String prefix) throws IOException, LoadException {
    EnumSet<PopulationTable> tables = EnumSet.allOf(PopulationTable.class);
    if (config.warehouseFrom() > 1) {
      tables.remove(PopulationTable.CONFIG);
      tables.remove(PopulationTable.ITEM);
    }
    try (CsvFiles files = new CsvFiles(prefix, tables)) {
      if (tables.contains(PopulationTable.CONFIG)) {
        new UnitRows(wanted, csvWriter(files)).writeConfig();
      }
      loadUnits(plan(new BitSet()), () -> new CsvSession(wanted, csvWriter(files)), RESTART);
    }
  }

  private CsvUnitWriter csvWriter(CsvFiles files) {
    return new CsvUnitWriter(files, config.csvNullValue(), stop::isSet);
  }

  private UnitPlan plan(BitSet done) {
    return new UnitPlan(config.warehouseFrom(), config.warehouseTo(), done);
  }

  private void loadUnits(UnitPlan plan, UnitSession.Factory sessions, String whatToDo)
      throws LoadException {
    listener.loadStarted(plan.expectedRows());
    UnitQueue queue = new UnitQueue(plan, new Counting());
    LoadWorkers workers = new LoadWorkers(queue, listener, stop);
    @Nullable Throwable failure;
    try {
      failure = workers.run(config.workers(), sessions);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failure = null;
    }
    int complete = plan.alreadyDone() + queue.completed();
    if (complete < plan.total()) {
      String cause = failure == null ? "the load was stopped" : Messages.of(failure);
      throw new LoadException(
          "%s%n%d of %d parts are missing; %s"
              .formatted(cause, plan.total() - complete, plan.total(), whatToDo),
          failure);
    }
  }

  /** Counts rows on their way to the listener. */
  private final class Counting implements LoadListener {
    @Override
    public void warehouseStarted(int worker, int warehouse) {
      listener.warehouseStarted(worker, warehouse);
    }

    @Override
    public void warehouseDone(int worker, int warehouse) {
      listener.warehouseDone(worker, warehouse);
    }

    @Override
    public void rowsDone(long rows) {
      rowsWritten.add(rows);
      listener.rowsDone(rows);
    }
  }

  /** How failures read. */
  private static final class Messages {
    private Messages() {}

    static String of(Throwable failure) {
      String message = failure.getMessage();
      return failure instanceof IOException fault
          ? "cannot write " + FileFault.message(fault)
          : message == null ? failure.toString() : message;
    }
  }
}
