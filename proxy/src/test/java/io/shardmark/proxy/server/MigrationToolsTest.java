package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import liquibase.Contexts;
import liquibase.Liquibase;
import liquibase.database.Database;
import liquibase.database.DatabaseFactory;
import liquibase.database.jvm.JdbcConnection;
import liquibase.exception.LiquibaseException;
import liquibase.lockservice.StandardLockService;
import liquibase.resource.ClassLoaderResourceAccessor;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.database.postgresql.PostgreSQLConfigurationExtension;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Flyway and Liquibase over three shards leave on each what they leave on one server. */
final class MigrationToolsTest {
  private static final int SHARDS = 3;
  private static final int MIGRATIONS = 5;
  private static final int ROUNDS = 20;

  /** Where a plain CREATE TABLE goes. */
  private enum Target {
    REFERENCE_TABLES,
    ONE_SHARD
  }

  /** Columns, indexes, constraints and comments of a schema, without partitions. */
  private static final String STRUCTURE =
      """
      with relation as (
        select * from pg_class where relnamespace = '%1$s'::regnamespace and not relispartition)
      select format('%%s.%%s %%s %%s', relname, attname, format_type(atttypid, atttypmod), attnotnull)
        from relation r join pg_attribute a on attrelid = r.oid
        where relkind in ('r', 'p', 'v', 'm') and attnum > 0 and not attisdropped
      union all
      select pg_get_indexdef(r.oid) || ' ' || indisvalid
        from relation r join pg_index on indexrelid = r.oid
      union all
      select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(c.oid)
        from pg_constraint c join relation r on conrelid = r.oid
        where conname <> 'shardmark one shard'
      union all
      select relname || ': ' || obj_description(oid, 'pg_class') from relation
        where obj_description(oid, 'pg_class') is not null
      order by 1
      """;

  /** The rows of each table that is not partitioned. */
  private static final String ROWS =
      """
      select relname || ' '
          || query_to_xml(format('select * from %%s order by 1', oid::regclass), true, true, '')
        from pg_class
        where relnamespace = '%1$s'::regnamespace and relkind in ('r', 'm') and not relispartition
        order by 1
      """;

  @AutoClose private static RunningProxy oneShard; // closed before the other
  @AutoClose private static RunningProxy proxy;

  @AutoClose("shutdownNow")
  private static final ExecutorService THREADS = Executors.newCachedThreadPool();

  private static final List<Logger> LOGS =
      Stream.of("liquibase", "org.flywaydb").map(Logger::getLogger).toList();

  private static String plain = "";

  @BeforeAll
  static void start() throws SQLException {
    System.setProperty("liquibase.analytics.enabled", "false");
    LOGS.forEach(log -> log.setLevel(Level.OFF));
    proxy = RunningProxy.start(SHARDS);
    oneShard = proxy.beside("unsharded_tables: s0");
    plain = RunningProxy.plainDatabase() + "?";
  }

  private static String url(Target target) {
    return (target == Target.ONE_SHARD ? oneShard : proxy).url();
  }

  private static List<String> strings(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      List<String> strings = new ArrayList<>();
      while (row.next()) {
        strings.add(row.getString(1));
      }
      return strings;
    }
  }

  /** Every shard has the structure of the plain server, and where it has rows, the same ones. */
  private static void assertAlike(String when, Target target, String schema) throws SQLException {
    List<String> expected;
    try (Connection connection = RunningProxy.open(plain)) {
      expected = strings(connection, STRUCTURE.formatted(schema));
    }
    List<String> rows = new ArrayList<>();
    for (int shard = 0; shard < (target == Target.ONE_SHARD ? 1 : SHARDS); shard++) {
      try (Connection connection = proxy.shard(shard)) {
        assertThat(strings(connection, STRUCTURE.formatted(schema)))
            .as("%s: structure on shard %d", when, shard)
            .isEqualTo(expected);
        rows.add(String.join("\n", strings(connection, ROWS.formatted(schema))));
      }
    }
    assertThat(rows).as("%s: rows", when).allMatch(rows.get(0)::equals);
  }

  /** The results of all, which run at once. */
  private static <T> List<T> atOnce(List<Callable<T>> tasks)
      throws InterruptedException, ExecutionException {
    List<T> results = new ArrayList<>();
    for (Future<T> future : THREADS.invokeAll(tasks)) {
      results.add(future.get());
    }
    return results;
  }

  private static Flyway flyway(String url, String schema, Target target, String... locations) {
    var configuration =
        Flyway.configure()
            .dataSource(url, "postgres", "postgres")
            .schemas(schema)
            .locations(
                Stream.concat(Stream.of("flyway"), Stream.of(locations))
                    .map(name -> "classpath:io/shardmark/proxy/server/" + name)
                    .toArray(String[]::new))
            .placeholders(
                Map.of(
                    "references",
                    target == Target.ONE_SHARD ? "" : "references person on delete cascade"))
            .cleanDisabled(false);
    // Its lock is one of the session: that of a transaction would let no index be built
    // concurrently.
    configuration
        .getPluginRegister()
        .getPlugin(PostgreSQLConfigurationExtension.class)
        .setTransactionalLock(false);
    return configuration.load();
  }

  @ParameterizedTest
  @EnumSource
  void flywayMigratesRepairsAndCleans(Target target) throws Exception {
    String schema = "flyway_" + target.name().toLowerCase(Locale.ROOT);
    List<String> urls = List.of(plain, url(target));
    for (String url : urls) {
      Flyway flyway = flyway(url, schema, target);
      assertThat(flyway.migrate().migrationsExecuted).isEqualTo(MIGRATIONS);
      assertThat(flyway.migrate().migrationsExecuted).isZero();
      flyway.validate();
    }
    assertAlike("migrated", target, schema);
    try (Connection client = RunningProxy.open(url(target))) {
      assertThat(strings(client, "select sum(total) from " + schema + ".orders where paid"))
          .containsExactly("4100.00");
    }

    for (String url : urls) {
      Flyway failing = flyway(url, schema, target, "flyway_failing");
      assertThatThrownBy(failing::migrate)
          .isInstanceOf(FlywayException.class)
          .hasMessageContaining("no_such_type");
      assertThat(failing.info().pending()).hasSize(1);
    }
    assertAlike("after a failure", target, schema);

    for (String url : urls) {
      Flyway unfinished = flyway(url, schema, target, "flyway_unfinished");
      assertThatThrownBy(unfinished::migrate).hasMessageContaining("23505");
      assertThatThrownBy(unfinished::migrate).hasMessageContaining("failed migration");
      unfinished.repair();
      assertThat(unfinished.info().pending()).hasSize(1);
      try (Connection client = RunningProxy.open(url);
          Statement statement = client.createStatement()) {
        statement.execute("drop index if exists " + schema + ".person_once");
      }
    }
    assertAlike("after a repair", target, schema);

    for (String url : urls) {
      flyway(url, schema, target).clean();
    }
    try (Connection client = RunningProxy.open(url(target))) {
      assertThat(strings(client, "select 1 from pg_namespace where nspname = '" + schema + "'"))
          .isEmpty();
    }
    for (String url : urls) {
      Callable<Integer> migrate = () -> flyway(url, schema, target).migrate().migrationsExecuted;
      int executed = atOnce(List.of(migrate, migrate)).stream().mapToInt(n -> n).sum();
      assertThat(executed).as("each migration once").isEqualTo(MIGRATIONS);
      Flyway flyway = flyway(url, schema, target);
      flyway.clean();
      Flyway.configure()
          .configuration(flyway.getConfiguration())
          .repeatableSqlMigrationPrefix("not yet")
          .target("1")
          .load()
          .migrate();
      executed = atOnce(List.of(migrate, migrate)).stream().mapToInt(n -> n).sum();
      assertThat(executed).as("each but the first once").isEqualTo(MIGRATIONS - 1);
      flyway(url, schema, target).validate();
    }
    assertAlike("two at once", target, schema);
  }

  private interface LiquibaseTask<T> {
    T run(Liquibase liquibase) throws LiquibaseException;
  }

  private static <T> T liquibase(String url, String schema, LiquibaseTask<T> task)
      throws SQLException, LiquibaseException {
    try (Connection connection = RunningProxy.open(url + "currentSchema=" + schema)) {
      String changes = "io/shardmark/proxy/server/changelog.xml";
      return task.run(
          new Liquibase(changes, new ClassLoaderResourceAccessor(), database(connection)));
    }
  }

  private interface Change {
    void on(Liquibase liquibase) throws LiquibaseException;
  }

  private static void change(String url, String schema, Change change)
      throws SQLException, LiquibaseException {
    boolean done =
        liquibase(
            url,
            schema,
            liquibase -> {
              change.on(liquibase);
              return true;
            });
    assertThat(done).isTrue();
  }

  /**
   * Of two that ask at the same time; Liquibase's own services of one JVM are not for two threads.
   */
  private static void onlyOneIsGivenTheLock(String url, String schema) throws Exception {
    List<StandardLockService> services = new ArrayList<>();
    try (Connection one = RunningProxy.open(url + "currentSchema=" + schema);
        Connection other = RunningProxy.open(url + "currentSchema=" + schema)) {
      for (Connection connection : List.of(one, other)) {
        StandardLockService service = new StandardLockService();
        service.setDatabase(database(connection));
        service.init();
        services.add(service);
      }
      for (int round = 0; round < ROUNDS; round++) {
        List<Callable<Boolean>> asking =
            services.stream().<Callable<Boolean>>map(service -> service::acquireLock).toList();
        assertThat(atOnce(asking)).containsExactlyInAnyOrder(true, false);
        for (StandardLockService service : services) {
          if (service.hasChangeLogLock()) {
            service.releaseLock();
          }
        }
      }
    }
  }

  private static Database database(Connection connection) throws LiquibaseException {
    return DatabaseFactory.getInstance()
        .findCorrectDatabaseImplementation(new JdbcConnection(connection));
  }

  private static int update(Liquibase liquibase) throws LiquibaseException {
    int unrun = liquibase.listUnrunChangeSets(new Contexts("usual"), null).size();
    liquibase.update(new Contexts("usual"));
    return unrun;
  }

  @ParameterizedTest
  @EnumSource
  void liquibaseUpdatesRollsBackAndDrops(Target target) throws Exception {
    String schema = "liquibase_" + target.name().toLowerCase(Locale.ROOT);
    List<String> urls = List.of(plain, url(target));
    for (String url : urls) {
      try (Connection client = RunningProxy.open(url);
          Statement statement = client.createStatement()) {
        statement.execute("create schema " + schema);
      }
      int first = liquibase(url, schema, MigrationToolsTest::update);
      assertThat(first).isEqualTo(9);
      int again = liquibase(url, schema, MigrationToolsTest::update);
      assertThat(again).as("the one that runs always").isEqualTo(1);
    }
    assertAlike("updated", target, schema);

    for (String url : urls) {
      assertThatThrownBy(
              () -> change(url, schema, liquibase -> liquibase.update(new Contexts("failing"))))
          .hasStackTraceContaining("no_such_table");
      int locks = liquibase(url, schema, liquibase -> liquibase.listLocks().length);
      assertThat(locks).isZero();
    }
    assertAlike("after a failure", target, schema);

    for (String url : urls) {
      change(url, schema, liquibase -> liquibase.rollback("filled", "usual"));
    }
    assertAlike("rolled back to a tag", target, schema);
    onlyOneIsGivenTheLock(url(target), schema);
    for (String url : urls) {
      change(url, schema, MigrationToolsTest::update);
    }
    assertAlike("updated again", target, schema);

    for (String url : urls) {
      change(url, schema, liquibase -> liquibase.rollback(4, "usual"));
      change(url, schema, Liquibase::clearCheckSums);
      change(url, schema, Liquibase::validate);
      change(url, schema, MigrationToolsTest::update);
    }
    assertAlike("checksums computed anew", target, schema);
    for (String url : urls) {
      change(url, schema, Liquibase::dropAll);
    }
    assertAlike("dropped", target, schema);
  }
}
