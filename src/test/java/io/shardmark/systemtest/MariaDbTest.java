package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.shardmark.servers.PrivateMariaDb;
import io.shardmark.systemtest.DriverProcess.Finished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole round on MariaDB with the sample file of MySQL, its JDBC driver in the user's {@code
 * lib} folder.
 */
final class MariaDbTest {
  private static final String PROPS = Workspace.PROPERTIES;

  @TempDir private Path directory;

  @Test
  void buildsRunsVerifiesAndDestroys() throws Exception {
    assumeTrue(PrivateMariaDb.isInstalled(), "needs MariaDB's server in /usr/sbin");
    try (PrivateMariaDb server = PrivateMariaDb.start(Postgres.USER, Postgres.PASSWORD)) {
      Map<String, String> properties = sampleFile();
      properties.put("conn", server.url());
      properties.put("user", Postgres.USER);
      properties.put("password", Postgres.PASSWORD);
      properties.put("warehouses", "2");
      properties.put("terminals", "2");
      properties.put("runTxnsPerTerminal", "50");
      properties.put("runMins", "0");
      properties.put("rampupMins", "0");
      properties.put("limitTxnsPerMin", "0");
      properties.put("resultDirectory", "result");
      Workspace workspace = new Workspace(directory).properties(properties);

      workspace.run("build", PROPS).failedWithOneLine(1, "org.mariadb.jdbc.Driver", "lib/mysql");
      provideDriver();
      workspace.run("build", PROPS).succeeded();
      Finished run = workspace.run("run", PROPS).succeeded();
      assertThat(run.out()).containsPattern("Term-00, Transaction Count = 100\n");
      ResultFiles result = workspace.result("result").assertWhole();
      assertThat(result.errors("")).isZero();
      assertThat(result.summary().at("/database/product").asText()).isEqualTo("MariaDB");
      workspace.run("verify", PROPS).succeeded();
      workspace.assertNowhere(Postgres.PASSWORD);

      workspace.run("destroy", PROPS).succeeded();
      workspace.run("verify", PROPS).failedWithOneLine(1, "bmsql_config");
    }
  }

  private static Map<String, String> sampleFile() throws IOException {
    Properties sample = new Properties();
    try (var in = Files.newInputStream(Workspace.root().resolve("config/props.mysql"))) {
      sample.load(in);
    }
    Map<String, String> properties = new HashMap<>();
    sample.forEach((key, value) -> properties.put((String) key, (String) value));
    return properties;
  }

  private void provideDriver() throws Exception {
    Path jar =
        Path.of(
            org.mariadb.jdbc.Driver.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
    Path folder = Files.createDirectories(directory.resolve("lib/mysql"));
    Files.copy(jar, folder.resolve("mariadb-java-client.jar"));
  }
}
