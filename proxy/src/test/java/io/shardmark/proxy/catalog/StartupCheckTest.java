package io.shardmark.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.proxy.TwoShards;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the check says about real databases. */
final class StartupCheckTest {
  @TempDir private Path directory;
  private TwoShards shards;

  @BeforeEach
  void makeShards() throws SQLException {
    shards = TwoShards.create();
  }

  private StartupCheck.Report check(String yaml) throws IOException {
    Path file = directory.resolve("proxy.yaml");
    Files.writeString(file, yaml);
    ProxyConfig config = ProxyConfig.read(file);
    try (CatalogReader reader =
        new CatalogReader(new ShardConnections(config), Clock.systemUTC())) {
      reader.read(config.sharding());
      return StartupCheck.run(config, reader);
    }
  }

  @Test
  void tellsHowAHashSpreadsFewKeys() throws SQLException, IOException {
    shards.executeOnBoth(
        "create table warehouse (w_id integer) partition by hash (w_id)",
        "create table district (d_w_id integer) partition by hash (d_w_id)");
    for (int shard = 0; shard < 2; shard++) {
      String values = " for values with (modulus 2, remainder " + shard + ")";
      shards.execute(
          shard,
          "create table w_" + shard + " partition of warehouse" + values,
          "create table d_" + shard + " partition of district" + values);
    }
    StartupCheck.Report report = check(shards.yaml());

    assertThat(report.problems()).isEmpty();
    assertThat(report.notes())
        .containsExactly(
            "the hash of district and 1 more puts d_w_id 1..10 on s1 2, s2 8; 1..100 on s1 52, s2 48");
  }

  @Test
  void namesServersThatAreTooSmall() throws SQLException, IOException {
    assertThat(check(shards.yaml() + "pool_size: 5000\n").problems())
        .hasSize(4)
        .anyMatch(
            line ->
                line.matches(
                    "shard s1: max_prepared_transactions is \\d+; transactions over several shards"
                        + " may fail under load: set it to 10000"))
        .anyMatch(
            line ->
                line.matches(
                    "shard s2: max_connections \\d+ leaves \\d+ without those reserved; pool_size 5000 for 1"
                        + " user\\(s\\) on 2 shard\\(s\\) of this server takes up to 10016 for each proxy"));
  }

  private int setting(String name) throws SQLException {
    try (Connection connection = shards.connect(0);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select current_setting('" + name + "')::int")) {
      row.next();
      return row.getInt(1);
    }
  }

  @Test
  void countsUsersLoopsAndShardsOfOneServer() throws SQLException, IOException {
    int usable =
        setting("max_connections")
            - setting("superuser_reserved_connections")
            - setting("reserved_connections");
    int fitting = usable / 2 - 8; // two shards, a connection in reserve, seven of the proxy's own
    assertThat(check(shards.yaml() + "pool_size: " + fitting + "\n").problems())
        .noneMatch(line -> line.contains("max_connections"));
    assertThat(check(shards.yaml() + "pool_size: " + (fitting + 1) + "\n").problems())
        .anyMatch(line -> line.contains("takes up to " + (2 * (fitting + 9))));
    assertThat(check(shards.yaml() + "pool_size: 1\nevent_loops: 100\n").problems())
        .anyMatch(line -> line.contains("takes up to 216"));
    String twoUsers = shards.yaml() + "  - {name: other, password: other}\n";
    assertThat(check(twoUsers + "pool_size: 30\n").problems())
        .anyMatch(line -> line.contains("for 2 user(s)") && line.contains("takes up to 138"));
  }

  @Test
  void namesShardsThatAreOneDatabase() throws IOException {
    String yaml = shards.yaml().replaceFirst("name: s2, port", "name: s2, host: localhost, port");

    assertThat(check(yaml.replaceFirst("database: b", "database: a")).problems())
        .containsExactly(
            "shard s2 is the same database as shard s1; its rows would be counted twice");
  }

  @Test
  void namesDifferencesOfSettings() throws SQLException, IOException {
    shards.execute(
        1,
        "do $$ begin execute format('alter database %I set timezone = ''Asia/Tokyo''', current_database()); end $$");

    assertThat(check(shards.yaml()).problems())
        .singleElement()
        .asString()
        .startsWith("settings of the databases differ between shards: none on s1; ")
        .endsWith("=Asia/Tokyo on s2");
  }

  @Test
  void namesAShardThatDoesNotAnswer() throws IOException {
    String yaml = shards.yaml().replace("s2, port: " + shards.port(), "s2, port: 1");

    assertThat(check(yaml).problems())
        .singleElement()
        .asString()
        .startsWith("shard s2 (127.0.0.1:1/")
        .contains("cannot be read: Connection to 127.0.0.1:1 refused");
  }

  @Test
  void namesAnOwnUserThatCannotFinishOthersTransactions() throws SQLException, IOException {
    shards.executeOnBoth(
        "do $$ begin create role weak login password 'weak'; exception when duplicate_object then null; end $$");
    String yaml = shards.yaml().replace("database:", "user: weak, password: weak, database:");

    assertThat(check(yaml).problems())
        .containsExactly(
            "shard s1: user weak is no superuser and can finish only its own prepared transactions;"
                + " give shards[].user a superuser",
            "shard s2: user weak is no superuser and can finish only its own prepared transactions;"
                + " give shards[].user a superuser");
  }
}
