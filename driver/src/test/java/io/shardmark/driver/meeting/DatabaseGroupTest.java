package io.shardmark.driver.meeting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.ConfigException;
import io.shardmark.config.DriversConfig;
import io.shardmark.driver.benchmark.Scale;
import io.shardmark.driver.meeting.DriverGroup.Fate;
import io.shardmark.driver.meeting.DriverGroup.Other;
import io.shardmark.driver.servers.SharedPostgres;
import io.shardmark.sql.dialect.Dialect;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whole groups in one process, in a real database. Its drivers have one and the same clock. */
final class DatabaseGroupTest {
  private static final int DRIVERS = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long HANG_SECONDS = 240;
  private static final Path PLACE = Path.of("result");

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<DriverGroup> open = new ArrayList<>();
  private final Queue<String> infos = new ConcurrentLinkedQueue<>();
  private final Queue<String> errors = new ConcurrentLinkedQueue<>();

  /** Indexes of those that cannot connect. */
  private final Set<Integer> cut = ConcurrentHashMap.newKeySet();

  private String database = "";

  @BeforeEach
  void makeDatabase() throws SQLException {
    database = SharedPostgres.newDatabase();
  }

  /** A test may end while a driver still joins: its thread ends before its group is closed. */
  @AfterEach
  void end() throws InterruptedException {
    threads.shutdownNow();
    assertThat(threads.awaitTermination(HANG_SECONDS, TimeUnit.SECONDS)).isTrue();
    open.forEach(DriverGroup::close);
  }

  private Connection connect(int index) {
    if (cut.contains(index)) {
      throw new ConfigException("its network is down");
    }
    return connect();
  }

  private Connection connect() {
    try {
      return SharedPostgres.connect(database);
    } catch (SQLException e) {
      throw new ConfigException(String.valueOf(e.getMessage()));
    }
  }

  private static DriverIdentity identity(int index, Map<String, String> settings) {
    return new DriverIdentity(
        index,
        "here",
        "Shardmark test",
        new DriverIdentity.Share(2 * index + 1, 2 * index + 2, 10),
        settings);
  }

  private Future<DriverGroup> join(int index) {
    return join(index, Map.of("retries", "0"), PATIENCE);
  }

  private Future<DriverGroup> join(int index, Map<String, String> settings, Duration patience) {
    return threads.submit(
        () -> {
          DriverGroup group =
              DatabaseGroup.join(
                  new DriversConfig(DRIVERS, index, patience, Optional.empty()),
                  identity(index, settings),
                  new GroupTerms(
                      "group",
                      40 + index,
                      index == 0,
                      70 + index,
                      Scale.divided("warehouse", 2 * DRIVERS, 1, 2 * DRIVERS),
                      "now"),
                  new MeetingTable(() -> connect(index), Dialect.POSTGRES, ""),
                  new DriverGroup.Messages(infos::add, errors::add));
          synchronized (open) {
            open.add(group);
          }
          return group;
        });
  }

  private static <T> T get(Future<T> future) throws Exception {
    return future.get(HANG_SECONDS, TimeUnit.SECONDS);
  }

  private List<DriverGroup> joinAll() throws Exception {
    List<Future<DriverGroup>> joining = List.of(join(2), join(0), join(1));
    return List.of(get(joining.get(1)), get(joining.get(2)), get(joining.get(0)));
  }

  private <T> List<T> inAll(List<DriverGroup> groups, Function<DriverGroup, Callable<T>> work)
      throws Exception {
    List<Future<T>> futures = groups.stream().map(g -> threads.submit(work.apply(g))).toList();
    List<T> results = new ArrayList<>();
    for (Future<T> future : futures) {
      results.add(get(future));
    }
    return results;
  }

  private List<StartInstant> start(List<DriverGroup> groups) throws Exception {
    return inAll(
        groups,
        group ->
            () -> {
              StartInstant instant = group.awaitStart();
              group.awaitInstant(instant);
              return instant;
            });
  }

  private static void assertFails(Future<?> future, String line) {
    assertThatThrownBy(() -> get(future))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(line)
        .hasMessageNotContaining("\n");
  }

  private void endConnections() throws SQLException {
    number(
        "select count(pg_terminate_backend(pid)) from pg_stat_activity"
            + " where datname = current_database() and pid <> pg_backend_pid()");
  }

  private int rows() throws SQLException {
    return number("select count(*) from shardmark_drivers");
  }

  private int number(String query) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getInt(1);
    }
  }

  @Test
  void agreeOnTermsAndStartAtOneInstant() throws Exception {
    List<DriverGroup> groups = joinAll();

    assertThat(groups.get(0).terms().seed()).isEqualTo(40);
    assertThat(groups).extracting(DriverGroup::terms).containsOnly(groups.get(0).terms());

    List<StartInstant> starts = start(groups);
    long first = starts.get(0).nanos();
    for (StartInstant start : starts) {
      // All clocks are the same one here, so that the measured offsets are all error.
      assertThat(Math.abs(start.nanos() - first))
          .isLessThanOrEqualTo(start.uncertaintyNanos() + starts.get(0).uncertaintyNanos());
    }
    assertThat(groups.get(1).driftNanos()).isPresent();
    assertThat(infos).anyMatch(line -> line.startsWith("All 3 drivers are ready"));
    assertThat(errors).isEmpty();
  }

  @Test
  void oneThatIsToldToEndEndsAllAtOneInstant() throws Exception {
    List<DriverGroup> groups = joinAll();
    List<StartInstant> starts = start(groups);
    List<CompletableFuture<Long>> ends = new ArrayList<>();
    for (DriverGroup group : groups) {
      CompletableFuture<Long> end = new CompletableFuture<>();
      group.onStop(end::complete);
      ends.add(end);
    }

    groups.get(2).requestStop("was told to end");

    List<Long> lengths = new ArrayList<>();
    for (int i = 0; i < DRIVERS; i++) {
      lengths.add(get(ends.get(i)) - starts.get(i).nanos());
      assertThat(groups.get(i).isStopped()).isTrue();
    }
    // To the nanosecond, whatever the clocks: otherwise the parts could not be merged.
    assertThat(lengths).containsOnly(lengths.get(0));
  }

  @Test
  void driverZeroHearsWhereTheOthersHaveTheirResults() throws Exception {
    List<DriverGroup> groups = joinAll();
    start(groups);

    List<List<Other>> others = inAll(groups, group -> () -> group.finish(PLACE));

    assertThat(others.get(0)).extracting(other -> other.identity().index()).containsExactly(1, 2);
    assertThat(others.get(0)).allMatch(other -> other.fate() == Fate.DONE);
    assertThat(others.get(0)).extracting(Other::place).containsOnly("" + PLACE.toAbsolutePath());
    groups.get(0).close();
    assertThat(rows()).isZero();
  }

  @Test
  void unlikeSettingsEndAllWithTheSameLine() throws Exception {
    Future<DriverGroup> first = join(0);
    Future<DriverGroup> second = join(1);
    Future<DriverGroup> unlike = join(2, Map.of("retries", "5"), PATIENCE);

    String line = "has retries=5, expected 0 as driver 0 has it";
    assertFails(unlike, line);
    assertFails(first, line);
    assertFails(second, line);
  }

  @Test
  void anIndexOfAnotherIsRefused() throws Exception {
    Future<DriverGroup> first = join(0);
    CompletableFuture<Throwable> refused = new CompletableFuture<>();
    for (Future<DriverGroup> same : List.of(join(1), join(1))) {
      threads.execute(
          () -> {
            try {
              same.get(HANG_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
              refused.complete(e.getCause());
            } catch (InterruptedException | TimeoutException e) {
              refused.completeExceptionally(e);
            }
          });
    }

    assertThat(get(refused))
        .hasMessageContaining("driverIndex=1: another driver of this run has it");
    assertThat(get(join(2)).terms()).isEqualTo(get(first).terms());
  }

  @Test
  void oneThatDoesNotComeEndsAll() throws Exception {
    Duration patience = Duration.ofSeconds(2);
    Future<DriverGroup> first = join(0, Map.of(), patience);
    Future<DriverGroup> second = join(1, Map.of(), PATIENCE);
    // On a machine that is busy with other things the second may come too late as well.
    while (failure(first).contains("driver 1, driver 2") && patience.toSeconds() < 60) {
      second.cancel(true);
      patience = patience.multipliedBy(2);
      first = join(0, Map.of(), patience);
      second = join(1, Map.of(), PATIENCE);
    }

    String line = "driver 2 did not join within %d s (driverWaitSecs)";
    assertFails(first, line.formatted(patience.toSeconds()));
    assertFails(second, line.formatted(patience.toSeconds()));
  }

  private static String failure(Future<?> future) throws Exception {
    try {
      get(future);
      return "";
    } catch (ExecutionException e) {
      return String.valueOf(e.getCause());
    }
  }

  /** Rows of a run that was killed look as if its driver 0 were waiting. */
  @Test
  void aDriverZeroThatIsDeadIsNotJoined() throws Exception {
    try (MeetingTable table = new MeetingTable(this::connect, Dialect.POSTGRES, "")) {
      table.insert(
          MeetingRow.joined("dead", new MeetingRow.About(DRIVERS, identity(0, Map.of()), null)));
    }
    assertFails(
        join(1, Map.of(), Duration.ofSeconds(1)),
        "driver 0 is not in the table shardmark_drivers after 1 s (driverWaitSecs)");
    List<DriverGroup> groups = joinAll();
    start(groups);
    inAll(groups, group -> () -> group.finish(PLACE));
    groups.get(0).close();
    assertThat(rows()).as("what the dead one left is taken away too").isZero();
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void aBadRowOfAnotherRunStopsNobody() throws Exception {
    execute(MeetingTable.DEFINITION);
    execute("insert into shardmark_drivers values ('other', 0, 'no JSON', '{}')");
    execute("insert into shardmark_drivers values ('other', 1, '{}', '{\"state\":\"LATER\"}')");

    List<DriverGroup> groups = joinAll();
    start(groups);
    List<List<Other>> others = inAll(groups, group -> () -> group.finish(PLACE));

    assertThat(others.get(0)).extracting(Other::fate).containsOnly(Fate.DONE);
    groups.get(0).close();
    assertThat(rows()).as("nobody changed them either").isZero();
  }

  @Test
  void aBadRowOfThisRunEndsAllWithOneLine() throws Exception {
    List<DriverGroup> groups = joinAll();

    execute("update shardmark_drivers set about = '{}' where idx = 2");

    for (DriverGroup group : groups) {
      assertFails(
          threads.submit(group::awaitStart),
          "the table shardmark_drivers has a row of this run that cannot be read, of driver 2: ");
    }
  }

  /** What ends the third of the drivers. */
  private interface DriverEnd {
    void of(DriverGroup third) throws SQLException;
  }

  private void requireEndOfAll(DriverEnd end, String line) throws Exception {
    List<DriverGroup> groups = joinAll();
    Future<StartInstant> first = threads.submit(() -> groups.get(0).awaitStart());
    Future<StartInstant> second = threads.submit(() -> groups.get(1).awaitStart());

    end.of(groups.get(2));

    assertFails(first, line);
    assertFails(second, line);
  }

  @Test
  void oneThatLeavesBeforeTheStartEndsAll() throws Exception {
    requireEndOfAll(DriverGroup::close, "driver 2 (here): it left");
  }

  @Test
  void oneThatIsLostBeforeTheStartEndsAll() throws Exception {
    requireEndOfAll(
        third -> {
          cut.add(2);
          endConnections();
        },
        "driver 2 (here) was lost before the start");
    assertThat(errors).as("nobody goes on").isEmpty();
  }

  @Test
  void oneThatRefusesTellsAllWhy() throws Exception {
    requireEndOfAll(
        third -> third.refuse("the database is not ready"),
        "driver 2 (here): the database is not ready");
  }

  @Test
  void oneThatLeavesDuringTheRunIsMissedAndTheOthersGoOn() throws Exception {
    List<DriverGroup> groups = joinAll();
    start(groups);

    groups.get(2).close();
    Future<List<Other>> first = threads.submit(() -> groups.get(0).finish(PLACE));
    get(threads.submit(() -> groups.get(1).finish(PLACE)));

    assertThat(get(first)).extracting(Other::fate).containsExactly(Fate.DONE, Fate.LOST);
  }

  @Test
  void whenDriverZeroLeavesDuringTheRunTheOthersGoOn() throws Exception {
    List<DriverGroup> groups = joinAll();
    start(groups);

    groups.get(0).close();
    List<List<Other>> others = inAll(groups.subList(1, 3), group -> () -> group.finish(PLACE));

    for (int i = 0; i < 2; i++) {
      assertThat(others.get(i).get(0).fate()).isEqualTo(Fate.LOST);
      assertThat(groups.get(i + 1).isStopped()).isFalse();
    }
  }

  /** Whoever waits for driver 0 has no row yet. */
  @Test
  void aConnectionLostWhileJoiningIsCalledThat() throws Exception {
    Future<DriverGroup> second = join(1);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(HANG_SECONDS);
    int looking = 0;
    while (looking == 0) {
      looking =
          number(
              "select count(pg_terminate_backend(pid)) from pg_stat_activity"
                  + " where datname = current_database() and query like 'select grp, %'");
      assertThat(System.nanoTime()).as("it looks for driver 0").isLessThan(deadline);
    }

    assertThatThrownBy(() -> get(second))
        .cause()
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("cannot be used: FATAL: terminating connection")
        .hasMessageNotContaining("by hand");
  }

  @Test
  void aTableThatCannotBeMadeIsToBeMadeByHand() throws Exception {
    execute("alter database " + database + " set default_transaction_read_only = on");

    assertFails(
        join(0),
        "which cannot be used: ERROR: cannot execute CREATE TABLE in a read-only transaction."
            + " Have it made by hand: create table shardmark_drivers (");
  }

  /** Those that are there read the database's clock then. */
  @Test
  void aConnectionLostBeforeTheStartEndsNothing() throws Exception {
    List<DriverGroup> groups = joinAll();

    endConnections();

    assertThat(start(groups)).hasSize(DRIVERS);
    assertThat(errors).isEmpty();
  }

  /** A connection that ends, as at a restart of the server, is opened again. */
  @Test
  void aLostConnectionEndsNothing() throws Exception {
    List<DriverGroup> groups = joinAll();
    start(groups);
    endConnections();

    List<List<Other>> others = inAll(groups, group -> () -> group.finish(PLACE));

    assertThat(others.get(0)).extracting(Other::fate).containsOnly(Fate.DONE);
  }
}
