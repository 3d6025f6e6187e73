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
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyOut;
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

  /** For the rows while clients wait, with the last statement: they are refused after 15 s. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

  private static final String LIMITED = "SET LOCAL statement_timeout = 5000";

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(5);

  private final String name;
  private final ShardAccess added;
  private final List<ShardAccess> shards;
  private final Connection first;
  private final Supplier<CompletionStage<ShardMap>> freshMap;
  private final Cutover.Agreement agreement;
  private AdditionState state;

  /** An addition as its row says. */
  record AdditionRow(String name, AdditionStage stage, String note) {
    static List<AdditionRow> read(Connection first) throws SQLException {
      return ShardSql.isTrue(first, AdditionSql.TABLE_EXISTS)
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
   * @param freshMap reads the map
   */
  ShardAddition(
      AdditionRow row,
      ShardAccess added,
      List<ShardAccess> shards,
      Connection first,
      Supplier<CompletionStage<ShardMap>> freshMap,
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
    return state.stage().isOver();
  }

  @Override
  public Duration advance() throws SQLException, InterruptedException {
    AdditionState before = state;
    state = perform(before);
    if (!state.equals(before)) {
      if (state.stage() != before.stage()) {
        LOG.info("shard {} is {} {}", name, state.stage().word(), state.note());
      }
      if (state.stage() != AdditionStage.COUNTS) { // which the switch has written
        ShardSql.execute(
            first,
            AdditionSql.WRITE_STAGE,
            state.stage().word(),
            state.note(),
            name,
            before.stage().word());
      }
    }
    return state.failures() == 0 ? Duration.ZERO : RETRY.multipliedBy(state.pauses());
  }

  private AdditionState perform(AdditionState now) throws SQLException, InterruptedException {
    try {
      switch (now.step()) {
        case MAKE_SCHEMA -> makeSchema();
        case COPY -> copy();
        case SWITCH -> switchOver();
        case UNMARK -> onAdded(target -> ShardSql.execute(target, AdditionSql.UNMARK));
        case CLEAN -> onAdded(this::clean);
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
      return PartitionMover.mayPass(e) ? now.failed(message) : now.refused(message);
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
  private record Cargo(
      List<TableName> relations, List<TableName> reference, List<TableName> dealt) {
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
  }

  private Cargo cargo() throws BusyException, InterruptedException {
    try {
      return Cargo.of(
          freshMap.get().toCompletableFuture().get(MOMENT.toMillis() * 2, TimeUnit.MILLISECONDS));
    } catch (TimeoutException | ExecutionException e) {
      throw new BusyException("the catalogs cannot be read");
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
    void run(Connection target) throws SQLException, BusyException, InterruptedException;
  }

  /** In one transaction on the new shard. */
  private void onAdded(TargetWork work) throws SQLException, BusyException, InterruptedException {
    try (Connection target = added.open()) {
      target.setAutoCommit(false);
      work.run(target);
      target.commit();
    }
  }

  private void makeSchema() throws SQLException, BusyException, InterruptedException {
    Cargo cargo = cargo();
    onAdded(
        target -> {
          if (ShardSql.isTrue(target, AdditionSql.IS_MARKED)) {
            return;
          }
          ShardSql.execute(target, CommitSql.LOCK_CREATION);
          ShardSql.execute(target, CommitSql.CREATE_SCHEMA);
          ShardSql.execute(target, AdditionSql.MARK);
          execute(target, AdditionSql.PREPARE);
          for (String sql : schema(first, cargo)) {
            execute(target, sql);
          }
        });
  }

  private void copy() throws SQLException, BusyException, InterruptedException {
    Cargo cargo = cargo();
    try (Connection snapshot = shards.get(0).open()) {
      snapshot.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      snapshot.setAutoCommit(false);
      onAdded(target -> copy(quoted(snapshot, cargo.reference()), snapshot, target));
    }
  }

  /** Tables, quoted: views store no rows. */
  private static List<String> quoted(Connection connection, List<TableName> names)
      throws SQLException {
    return ShardSql.texts(connection, AdditionSql.NOT_PARTITIONED, schemas(names), names(names));
  }

  private static void copy(List<String> tables, Connection from, Connection to)
      throws SQLException {
    execute(from, AdditionSql.PREPARE);
    execute(to, AdditionSql.PREPARE);
    execute(to, AdditionSql.AS_THEY_ARE);
    for (String table : tables) {
      execute(to, "DELETE FROM " + table);
      CopyOut out =
          from.unwrap(PGConnection.class).getCopyAPI().copyOut("COPY " + table + " TO STDOUT");
      CopyIn in =
          to.unwrap(PGConnection.class).getCopyAPI().copyIn("COPY " + table + " FROM STDIN");
      for (byte[] rows = out.readFromCopy(); rows != null; rows = out.readFromCopy()) {
        in.writeToCopy(rows, 0, rows.length);
      }
      in.endCopy();
    }
  }

  private void clean(Connection target) throws SQLException {
    for (String object : ShardSql.texts(target, AdditionSql.OWN_OBJECTS)) {
      String kind = object.substring(0, object.lastIndexOf(' ', firstQuote(object)));
      execute(
          target,
          "DROP %s IF EXISTS %s CASCADE".formatted(kind, object.substring(kind.length() + 1)));
    }
    execute(target, "DROP SCHEMA IF EXISTS shardmark CASCADE");
  }

  /** Where the name of an object may begin at the latest. */
  private static int firstQuote(String object) {
    int end = object.indexOf('"');
    int arguments = object.indexOf('(');
    return Stream.of(end, arguments, object.length())
        .filter(at -> at >= 0)
        .min(Integer::compare)
        .get();
  }

  // ---- the moment

  private void switchOver()
      throws SQLException, BusyException, DifferentException, InterruptedException {
    Map<ShardAccess, Connection> counting = new LinkedHashMap<>();
    try (Connection target = added.open()) {
      counting.put(shards.get(0), first);
      for (ShardAccess other : List.copyOf(shards).subList(1, shards.size())) {
        counting.put(other, other.open());
      }
      for (Connection each : counting.values()) {
        each.setAutoCommit(false);
      }
      target.setAutoCommit(false);
      long begun = System.nanoTime();
      long until = begun + MOMENT.toNanos();
      agreement.keepBack(Hold.EVERYTHING, until, counting.values().toArray(Connection[]::new));
      for (Connection each : counting.values()) {
        requireQuiet(each, target, until);
      }
      Cargo cargo = cargo();
      requireSchema(target, cargo);
      level(target, cargo, begun + LONGEST_WAIT.toNanos());
      deal(target, counting, cargo);
      IdentityCheck.identify(target, name, ShardSql.texts(first, AdditionSql.CLUSTER).get(0));
      // Nobody uses it yet: if this is all that happens, it is undone or done once more.
      target.commit();
      int written =
          ShardSql.execute(
              first,
              AdditionSql.WRITE_STAGE,
              AdditionStage.COUNTS.word(),
              "",
              name,
              AdditionStage.COPIED.word());
      if (written != 1) {
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

  private void requireSchema(Connection target, Cargo cargo)
      throws SQLException, DifferentException {
    List<String> here = new ArrayList<>(schema(target, cargo));
    List<String> there = new ArrayList<>(schema(first, cargo));
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
  private void level(Connection target, Cargo cargo, long deadline)
      throws SQLException, BusyException, DifferentException {
    List<String> tables = quoted(first, cargo.reference());
    execute(first, LIMITED);
    execute(target, LIMITED);
    for (String table : differing(tables, target, deadline)) {
      requireTime(deadline);
      copy(List.of(table), first, target);
    }
    List<String> still = differing(tables, target, deadline);
    if (!still.isEmpty()) {
      throw new DifferentException("the rows of %s differ".formatted(still.get(0)));
    }
  }

  private List<String> differing(List<String> tables, Connection target, long deadline)
      throws SQLException, BusyException {
    List<String> differing = new ArrayList<>();
    for (String table : tables) {
      requireTime(deadline);
      String sql = MoveSql.fingerprint(table);
      if (!ShardSql.texts(first, sql).equals(ShardSql.texts(target, sql))) {
        differing.add(table);
      }
    }
    return differing;
  }

  private static void requireTime(long deadline) throws BusyException {
    if (System.nanoTime() - deadline > 0) {
      throw new BusyException("the reference tables are not level in time");
    }
  }

  private record SequencePlace(BigDecimal increment, BigDecimal start, BigDecimal given) {}

  /** Deals the numbers of each sequence that none has given yet to one shard more. */
  private void deal(Connection target, Map<ShardAccess, Connection> counting, Cargo cargo)
      throws SQLException, DifferentException {
    List<Connection> all = new ArrayList<>(counting.values());
    all.add(target);
    BigDecimal before = BigDecimal.valueOf(counting.size());
    for (TableName sequence : cargo.dealt()) {
      String quoted =
          Stream.of(sequence.schema(), sequence.name())
              .map(part -> '"' + part.replace("\"", "\"\"") + '"')
              .reduce((schema, part) -> schema + "." + part)
              .orElseThrow();
      List<SequencePlace> places = new ArrayList<>();
      for (Connection each : counting.values()) {
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
