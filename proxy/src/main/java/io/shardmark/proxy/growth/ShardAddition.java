package io.shardmark.proxy.growth;

import io.shardmark.proxy.commit.CommitSql;
import io.shardmark.proxy.ddl.Hold;
import io.shardmark.proxy.growth.Cutover.BusyException;
import io.shardmark.proxy.recovery.IdentityCheck;
import io.shardmark.proxy.recovery.ShardAccess;
import io.shardmark.proxy.shardmap.ShardMap;
import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.shardmap.TableName;
import io.shardmark.proxy.shards.ShardSql;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A shard that this proxy adds, as long as its connection to the first shard lasts: schema and
 * reference tables are those of the first shard. Before the moment in which it begins to count no
 * client uses it; in that moment nothing is under way in the cluster. Belongs to one thread;
 * blocks.
 */
final class ShardAddition implements GrowthWork {
  private static final Logger LOG = LoggerFactory.getLogger(ShardAddition.class);
  private static final Duration RETRY = Duration.ofSeconds(1);

  /** For what is under way to end; then clients go on, and it is tried again later. */
  private static final Duration MOMENT = Duration.ofMillis(800);

  /** For all that is done while clients wait, which are refused after 15 s. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(5);

  private final String name;
  private final ShardAccess added;
  private final List<ShardAccess> shards;
  private final Connection first;
  private final FreshMap freshMap;
  private final Cutover.Agreement agreement;
  private AdditionState state;

  /** An addition as its row says. */
  record AdditionRow(String name, AdditionStage stage, String note) {
    static List<AdditionRow> read(Connection first) throws SQLException {
      return ShardSql.hasTable(first, "addition")
          ? ShardSql.rows(
              first,
              AdditionSql.SELECT,
              row ->
                  new AdditionRow(
                      row.getString(1), AdditionStage.of(row.getString(2)), row.getString(3)))
          : List.of();
    }
  }

  /**
   * @param shards those that count
   * @param first a connection to the first of them that has taken the addition; this object's from
   *     now on
   */
  ShardAddition(
      AdditionRow row,
      ShardAccess added,
      List<ShardAccess> shards,
      Connection first,
      FreshMap freshMap,
      Cutover.Agreement agreement) {
    this.name = row.name();
    this.added = added;
    this.shards = shards;
    this.first = first;
    this.freshMap = freshMap;
    this.agreement = agreement;
    this.state = AdditionState.written(row.stage(), row.note());
  }

  @Override
  public boolean isOver() {
    return isOver(state);
  }

  /** As the first shard has it, which others may have changed. */
  private AdditionRow row() throws SQLException {
    return AdditionRow.read(first).stream()
        .filter(row -> row.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new SQLException("the row of shard " + name + " is gone"));
  }

  @Override
  public Duration advance() throws SQLException, InterruptedException {
    AdditionRow row = row();
    AdditionState before = state.read(row.stage(), row.note());
    state = isOver(before) ? before : perform(before);
    if (!state.equals(before)) {
      if (state.stage() != before.stage()) {
        LOG.info("addition of shard {}: {} {}", name, state.stage().word(), state.note());
      }
      write(state, before.stage());
    }
    return state.failures() == 0 ? Duration.ZERO : RETRY.multipliedBy(state.pauses());
  }

  private static boolean isOver(AdditionState state) {
    return state.stage().isOver();
  }

  /** Unless somebody has written another stage: then the next step sees that. */
  private int write(AdditionState next, AdditionStage before) throws SQLException {
    return ShardSql.execute(
        first,
        AdditionSql.WRITE_STAGE,
        next.stage().word(),
        next.note(),
        name,
        List.of(before.word()));
  }

  private AdditionState perform(AdditionState now) throws SQLException, InterruptedException {
    try {
      switch (now.step()) {
        case MAKE_SCHEMA -> makeSchema(now);
        case COPY -> copy(now);
        case SWITCH -> switchOver(now);
        case UNMARK -> onAdded(now, target -> ShardSql.execute(target, AdditionSql.UNMARK));
        case CLEAN -> {
          if (!(added instanceof PartitionMover.RemovedShard)) {
            onAdded(now, this::clean);
          }
        }
      }
      return now.succeeded();
    } catch (BusyException e) {
      return now.failed(String.valueOf(e.getMessage()));
    } catch (DifferentException e) {
      return now.refused(String.valueOf(e.getMessage()));
    } catch (SQLException e) {
      if (!first.isValid(1)) {
        throw e;
      }
      String message = String.valueOf(e.getMessage()).strip().replaceAll("\\s+", " ");
      LOG.debug("shard {}: {}", name, message);
      return now.failed(StepFailure.of(e), message);
    }
  }

  /** The shards are not alike, and will not be. */
  private static final class DifferentException extends Exception {
    private static final long serialVersionUID = 1L;

    DifferentException(String message) {
      super(message);
    }
  }

  // ---- what the shard needs

  /** Names of what is on all shards. */
  record Cargo(List<TableName> relations, List<TableName> reference, List<TableName> dealt) {
    static Cargo of(ShardMap map) {
      Set<TableName> all = new TreeSet<>(Comparator.comparing(TableName::toString));
      all.addAll(map.sequences());
      all.addAll(map.bare().keySet());
      List<TableName> reference = new ArrayList<>();
      for (Table table : map.tables().values()) {
        if (!(table.sharding() instanceof Sharding.OnShard)) {
          all.add(table.name());
        }
        if (table.sharding() instanceof Sharding.Reference) {
          reference.add(table.name());
        }
      }
      return new Cargo(List.copyOf(all), reference, List.copyOf(map.sequences()));
    }

    /** Partitions that a shard more would have to have as well. */
    List<String> partitions(Connection first) throws SQLException {
      return ShardSql.texts(first, AdditionSql.PARTITIONS, schemas(relations), names(relations));
    }
  }

  private static List<String> schemas(List<TableName> names) {
    return names.stream().map(TableName::schema).toList();
  }

  private static List<String> names(List<TableName> names) {
    return names.stream().map(TableName::name).toList();
  }

  private List<String> schema(Connection connection, Cargo cargo) throws SQLException {
    execute(connection, AdditionSql.PREPARE);
    return ShardSql.texts(
        connection, AdditionSql.SCHEMA, schemas(cargo.relations()), names(cargo.relations()));
  }

  /** Not as a prepared statement: the bodies of functions may have question marks. */
  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setEscapeProcessing(false);
      statement.execute(sql);
    }
  }

  private interface TargetWork {
    void run(Connection target)
        throws SQLException, BusyException, DifferentException, InterruptedException;
  }

  /** In one transaction on the new shard. */
  private void onAdded(AdditionState now, TargetWork work)
      throws SQLException, BusyException, DifferentException, InterruptedException {
    try (Connection target = added.open()) {
      target.setAutoCommit(false);
      take(target, now);
      work.run(target);
      target.commit();
    }
  }

  /**
   * Until the transaction on the new shard ends nobody else works there. A proxy that has been cut
   * off, and by now has lost the addition to another one, finds that out here, and changes nothing.
   */
  private void take(Connection target, AdditionState now) throws SQLException, BusyException {
    if (!ShardSql.isTrue(target, MoveSql.TAKE_ADDED)) {
      throw new BusyException("another proxy works on shard " + name);
    }
    requireStage(now);
  }

  private void requireStage(AdditionState now) throws SQLException, BusyException {
    AdditionStage written = row().stage();
    if (written != now.stage()) {
      throw new BusyException("shard %s is %s now".formatted(name, written.word()));
    }
  }

  private String cluster() throws SQLException {
    return ShardSql.texts(first, AdditionSql.CLUSTER).get(0);
  }

  private boolean isMarked(Connection target) throws SQLException {
    return ShardSql.hasTable(target, "arriving")
        && ShardSql.texts(target, AdditionSql.MARKED_BY).contains(cluster());
  }

  private void makeSchema(AdditionState now)
      throws SQLException, BusyException, DifferentException, InterruptedException {
    Cargo cargo = Cargo.of(freshMap.read());
    onAdded(
        now,
        target -> {
          ShardSql.execute(target, CommitSql.LOCK_CREATION);
          if (isMarked(target)) {
            return;
          }
          List<String> objects = ShardSql.texts(target, AdditionSql.OWN_OBJECTS);
          if (ShardSql.hasTable(target, "shard") || ShardSql.hasTable(target, "arriving")) {
            throw new DifferentException("the database is of another cluster by now");
          }
          if (!objects.isEmpty()) {
            throw new DifferentException("the database has the " + objects.get(0) + " by now");
          }
          ShardSql.execute(target, CommitSql.CREATE_SCHEMA);
          ShardSql.execute(target, AdditionSql.MARK);
          ShardSql.execute(target, AdditionSql.MARK_CLUSTER, cluster());
          execute(target, AdditionSql.PREPARE);
          for (String sql : schema(first, cargo)) {
            execute(target, sql);
          }
        });
  }

  /** Copies the rows of reference tables that differ, as of one moment. Clients go on meanwhile. */
  private ReferenceRows copy(AdditionState now)
      throws SQLException, BusyException, DifferentException, InterruptedException {
    Cargo cargo = Cargo.of(freshMap.read());
    try (Connection snapshot = shards.get(0).open();
        Connection target = added.open()) {
      snapshot.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      snapshot.setAutoCommit(false);
      target.setAutoCommit(false);
      take(target, now);
      execute(snapshot, AdditionSql.PREPARE);
      execute(target, AdditionSql.PREPARE);
      List<String> tables = new ArrayList<>(quoted(snapshot, cargo.reference()));
      tables.retainAll(
          quoted(target, cargo.reference())); // the schema may change, which is seen later
      for (String table : tables) {
        requireStage(now); // it may have been cancelled
        makeEqual(table, snapshot, target);
      }
      target.commit();
      return ReferenceRows.of(tables, snapshot);
    }
  }

  private static void makeEqual(String table, Connection from, Connection target)
      throws SQLException, DifferentException {
    if (!ReferenceRows.differ(table, from, target)) {
      return;
    }
    execute(target, AdditionSql.AS_THEY_ARE);
    ReferenceRows.copy(table, from, target);
    if (ReferenceRows.differ(table, from, target)) {
      throw new DifferentException("the rows of %s differ".formatted(table));
    }
  }

  /** Tables, quoted: views store no rows. */
  private static List<String> quoted(Connection connection, List<TableName> names)
      throws SQLException {
    return ShardSql.texts(connection, AdditionSql.NOT_PARTITIONED, schemas(names), names(names));
  }

  /** Without the mark nothing has been made there, and what is there is somebody else's. */
  private void clean(Connection target) throws SQLException {
    if (isMarked(target)) {
      for (String drop : ShardSql.rows(target, AdditionSql.OWN_OBJECTS, row -> row.getString(2))) {
        execute(target, drop);
      }
      execute(target, "DROP SCHEMA shardmark CASCADE");
    }
  }

  // ---- the moment

  private void switchOver(AdditionState now)
      throws SQLException, BusyException, DifferentException, InterruptedException {
    Map<ShardAccess, Connection> counting = new LinkedHashMap<>();
    ReferenceRows copied = copy(now);
    try (Connection target = added.open()) {
      counting.put(shards.get(0), first);
      for (ShardAccess other : List.copyOf(shards).subList(1, shards.size())) {
        counting.put(other, other.open());
      }
      for (Connection each : counting.values()) {
        each.setAutoCommit(false);
      }
      target.setAutoCommit(false);
      take(target, now);
      String cluster = cluster();
      prepare(target, List.copyOf(counting.values()), copied, cluster);
      for (Connection each : counting.values()) {
        execute(each, Cutover.GIVING_WAY);
      }
      // Nobody uses it yet: if this is all that happens, it is undone or done once more.
      execute(target, Cutover.GIVING_WAY);
      target.commit();
      if (write(now.succeeded(), now.stage()) != 1) {
        throw new BusyException("it is not to be added any more");
      }
      Map<ShardAccess, Connection> others = new LinkedHashMap<>(counting);
      others.remove(shards.get(0));
      agreement.commit(shards.get(0), first, others);
    } finally {
      counting.remove(shards.get(0));
      try {
        Cutover.end(first);
      } finally {
        counting.values().forEach(ShardSql::close);
      }
    }
  }

  /** From here on clients wait. */
  private void prepare(
      Connection added, List<Connection> counting, ReferenceRows copied, String cluster)
      throws SQLException, BusyException, DifferentException, InterruptedException {
    long begun = System.nanoTime();
    MomentLimit limit = new MomentLimit(begun + LONGEST_WAIT.toNanos());
    Connection target = limit.of(added);
    List<Connection> all = counting.stream().map(limit::of).toList();
    try {
      long until = begun + MOMENT.toNanos();
      agreement.keepBack(Hold.EVERYTHING, until, all.toArray(Connection[]::new));
      for (Connection each : all) {
        requireQuiet(each, target, until);
      }
      Cargo cargo = Cargo.of(freshMap.read(limit.leftMillis()));
      requireSchema(all.get(0), target, cargo);
      level(all.get(0), target, cargo, copied);
      deal(target, all, cargo);
      IdentityCheck.identify(target, name, cluster);
      announce(target, all);
    } catch (SQLException e) {
      if (limit.leftMillis() <= 0) {
        LOG.debug("shard {}: {}", name, e.getMessage());
        throw new BusyException(
            "the shards are not level within " + LONGEST_WAIT.toSeconds() + " s");
      }
      throw e;
    }
  }

  /** Writes which shards have been added on all but the first, which has it already. */
  private void announce(Connection target, List<Connection> counting) throws SQLException {
    List<String> names = new ArrayList<>(ShardSql.addedShards(counting.get(0)));
    names.add(name); // the last one, which is about to count
    List<Connection> others = new ArrayList<>(counting.subList(1, counting.size()));
    others.add(target);
    int original = counting.size() + 1 - names.size();
    for (Connection each : others) {
      ShardSql.execute(each, AdditionSql.CREATE_TABLE);
      for (int added = 0; added < names.size(); added++) {
        ShardSql.execute(each, AdditionSql.COUNTS, names.get(added), original + added);
      }
    }
  }

  private void requireQuiet(Connection each, Connection target, long until)
      throws SQLException, BusyException, InterruptedException {
    if (MoveRows.read(each, 0).stream().anyMatch(move -> !move.stage().isOver())) {
      throw new BusyException("a move is not over");
    }
    if (!MoveRows.isKnownToAll(each, target)) {
      throw new BusyException("a proxy does not know shard " + name);
    }
    while (!ShardSql.isTrue(each, AdditionSql.IS_QUIET)) {
      if (System.nanoTime() - until > 0) {
        throw new BusyException("transactions do not end");
      }
      TimeUnit.NANOSECONDS.sleep(BETWEEN_LOOKS.toNanos());
      // A transaction sees the activity as it was at its first look.
      ShardSql.texts(each, "SELECT pg_stat_clear_snapshot()::text");
    }
  }

  private void requireSchema(Connection from, Connection target, Cargo cargo)
      throws SQLException, DifferentException {
    List<String> here = new ArrayList<>(schema(target, cargo));
    List<String> there = new ArrayList<>(schema(from, cargo));
    there.addAll(cargo.partitions(from));
    if (!Set.copyOf(here).equals(Set.copyOf(there))) {
      List<String> missing = new ArrayList<>(there);
      missing.removeAll(here);
      here.removeAll(there);
      throw new DifferentException(
          "the schema has changed meanwhile: "
              + Stream.concat(missing.stream(), here.stream()).findFirst().orElse("?"));
    }
  }

  /** Copies the reference tables once more that have changed since. */
  private static void level(Connection from, Connection target, Cargo cargo, ReferenceRows copied)
      throws SQLException, DifferentException {
    for (String table : quoted(from, cargo.reference())) {
      if (copied.haveChanged(table, from)) {
        makeEqual(table, from, target);
      }
    }
  }

  private record SequencePlace(BigDecimal increment, BigDecimal start, BigDecimal given) {}

  /** Deals the numbers of each sequence that none has given yet to one shard more. */
  private static void deal(Connection target, List<Connection> counting, Cargo cargo)
      throws SQLException, DifferentException {
    List<Connection> all = new ArrayList<>(counting);
    all.add(target);
    BigDecimal before = BigDecimal.valueOf(counting.size());
    for (TableName sequence : cargo.dealt()) {
      String quoted =
          Stream.of(sequence.schema(), sequence.name())
              .map(part -> '"' + part.replace("\"", "\"\"") + '"')
              .reduce((schema, part) -> schema + "." + part)
              .orElseThrow();
      List<SequencePlace> places = new ArrayList<>();
      for (Connection each : counting) {
        execute(each, "ALTER SEQUENCE " + quoted + " NO CYCLE"); // locks it
        places.addAll(
            ShardSql.rows(
                each,
                AdditionSql.sequence(quoted),
                row ->
                    new SequencePlace(
                        row.getBigDecimal(1), row.getBigDecimal(2), row.getBigDecimal(3))));
      }
      SequencePlace one = places.get(0);
      if (places.stream().anyMatch(place -> place.increment().compareTo(one.increment()) != 0)
          || one.increment().remainder(before).signum() != 0) {
        throw new DifferentException(
            "the increments of sequence %s are not those of %s shards".formatted(sequence, before));
      }
      BigDecimal step = one.increment().divide(before);
      BigDecimal given =
          places.stream()
              .map(SequencePlace::given)
              .reduce(step.signum() > 0 ? BigDecimal::max : BigDecimal::min)
              .orElseThrow();
      for (int shard = 0; shard < all.size(); shard++) {
        execute(
            all.get(shard),
            "ALTER SEQUENCE %s INCREMENT BY %s START WITH %s RESTART WITH %s"
                .formatted(
                    quoted,
                    step.multiply(BigDecimal.valueOf(all.size())).toPlainString(),
                    one.start().add(step.multiply(BigDecimal.valueOf(shard))).toPlainString(),
                    given.add(step.multiply(BigDecimal.valueOf(shard + 1L))).toPlainString()));
      }
    }
  }

  @Override
  public void close() {
    ShardSql.close(first);
  }

  @Override
  public String toString() {
    return "the addition of shard " + name;
  }
}
