package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that ask the catalogs in several steps see one consistent picture: that of one shard. */
final class CatalogClientsTest {
  @AutoClose private static RunningProxy proxy;

  @BeforeAll
  static void start() throws SQLException {
    proxy = RunningProxy.start(2, "pool_size: 4");
    // Objects made in another order have other oids on the second shard.
    try (Connection shard = proxy.shard(1);
        var statement = shard.createStatement()) {
      statement.execute("create table made_first (a int); drop table made_first");
    }
    proxy.makeOnShards(
        """
        create table t (id int primary key, v int default 7) partition by hash (id);
        create table t_$shard partition of t for values with (modulus 2, remainder $shard);
        create table r (id int primary key, t_id int references r, name varchar(10));
        create index r_name on r (name);
        create view rv as select * from r;
        create function f(int) returns int language sql as 'select $1'""");
  }

  private static Optional<Path> psql() {
    return Stream.of(System.getenv("PATH").split(java.io.File.pathSeparator, -1))
        .map(directory -> Path.of(directory, "psql"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static String psql(String url, String command) throws IOException, InterruptedException {
    Path program = psql().orElse(null);
    Assumptions.assumeTrue(program != null, "there is no psql on the path");
    Process process =
        new ProcessBuilder(String.valueOf(program), "-X", "-q", "-c", command, url)
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    // An older psql may ask a newer server for what it has no more: then both fail alike.
    return process.waitFor() + " " + output;
  }

  /** It reads the catalogs of all tables before it commits. */
  @Test
  void ddlDoesNotWaitForLocksOfOtherTables() throws SQLException {
    try (Connection shard = proxy.shard(0);
        var locks = shard.createStatement()) {
      locks.execute("begin; lock table t, t_0 in access exclusive mode");
      assertThat(
              CompletableFuture.runAsync(
                  () -> execute("create table one_more (a int); drop table one_more")))
          .succeedsWithin(Duration.ofSeconds(30));
      locks.execute("rollback");
    }
  }

  private static void execute(String sql) {
    try (Connection client = proxy.connect();
        var statement = client.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\\d",
        "\\dt",
        "\\d t",
        "\\d+ t",
        "\\d r",
        "\\d+ r",
        "\\d rv",
        "\\d+ r_name",
        "\\di",
        "\\dn",
        "\\df",
        "\\df+ f",
        "\\sf f",
        "\\sv rv",
        "\\du",
        "\\l",
        "\\dp",
        "\\dx",
        "\\dT",
        "\\dP+"
      })
  void psqlShowsWhatTheFirstShardHas(String command) throws Exception {
    String direct = psql(url(proxy.directUrl(0)), command);
    for (int i = 0; i < 3; i++) {
      assertThat(psql(url(proxy.url()), command)).isEqualTo(direct);
    }
    assertThat(direct).hasSizeGreaterThan(10);
  }

  /** psql's form of a JDBC URL. */
  private static String url(String jdbc) {
    String plain = jdbc.substring("jdbc:".length());
    int question = plain.indexOf('?');
    String bare = question < 0 ? plain : plain.substring(0, question);
    return bare.replace("//", "//postgres:postgres@");
  }

  private static List<String> column(ResultSet rows, String label) throws SQLException {
    List<String> values = new ArrayList<>();
    try (rows) {
      while (rows.next()) {
        values.add(rows.getString(label));
      }
    }
    return values;
  }

  @Test
  void aShardGivenByHandShowsItsOwnCatalog() throws SQLException {
    String partitions = "select relname from pg_class where relname like 't\\__' order by 1";
    try (Connection connection = proxy.connect();
        var statement = connection.createStatement()) {
      for (int i = 0; i < 3; i++) {
        assertThat(column(statement.executeQuery(partitions), "relname")).containsExactly("t_0");
      }
      statement.execute("set shardmark.shard = 's1'");
      assertThat(column(statement.executeQuery(partitions), "relname")).containsExactly("t_1");
    }
  }

  @Test
  void driversReadTheirMetadata() throws SQLException {
    for (String mode : List.of("simple", "extended")) {
      try (Connection connection = proxy.connect("preferQueryMode=" + mode)) {
        DatabaseMetaData data = connection.getMetaData();
        for (int i = 0; i < 3; i++) {
          assertThat(column(data.getColumns(null, "public", "t", null), "COLUMN_NAME"))
              .containsExactly("id", "v");
          assertThat(column(data.getPrimaryKeys(null, "public", "t"), "COLUMN_NAME"))
              .containsExactly("id");
          assertThat(column(data.getIndexInfo(null, "public", "r", false, false), "INDEX_NAME"))
              .containsExactlyInAnyOrder("r_pkey", "r_name");
          assertThat(column(data.getImportedKeys(null, "public", "r"), "FKCOLUMN_NAME"))
              .containsExactly("t_id");
          assertThat(column(data.getTables(null, "public", "r%", null), "TABLE_NAME"))
              .contains("r", "rv");
          assertThat(column(data.getProcedures(null, "public", "f"), "PROCEDURE_NAME")).isEmpty();
          assertThat(column(data.getFunctions(null, "public", "f"), "FUNCTION_NAME"))
              .containsExactly("f");
          assertThat(column(data.getTypeInfo(), "TYPE_NAME")).contains("int4");
        }
      }
    }
  }
}
