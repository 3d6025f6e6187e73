package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.shardmark.systemtest.DriverProcess.Finished;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that are not written in Java, through the proxy over two shards. */
final class ForeignClientsTest {
  /** Debian's Python, for which its packages python3-psycopg and python3-asyncpg are. */
  private static final String PYTHON = "/usr/bin/python3";

  @TempDir private static Path directory;
  private static ShardedCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(DebianPostgres.isAvailable(), DebianPostgres.NOT_THERE);
    cluster = ShardedCluster.start(directory);
    cluster
        .client(
            "psql",
            "-v",
            "ON_ERROR_STOP=1",
            "-c",
            "create table item_of (id int primary key, note text) partition by hash (id)",
            "-c",
            "create table item_of_0 partition of item_of"
                + " for values with (modulus 2, remainder 0) with (shard = 1)",
            "-c",
            "create table item_of_1 partition of item_of"
                + " for values with (modulus 2, remainder 1) with (shard = 2)")
        .succeeded();
    StringBuilder rows = new StringBuilder("insert into item_of values (0, 'note 0')");
    for (int id = 1; id < 100; id++) {
      rows.append(", (%d, 'note %d')".formatted(id, id));
    }
    cluster.client("psql", "-v", "ON_ERROR_STOP=1", "-c", rows.toString()).succeeded();
    assertThat(cluster.askShards("SELECT count(*) FROM item_of")).doesNotContain("0");
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void psycopg() throws Exception {
    String conninfo =
        "host=127.0.0.1 port=%d user=%s password=%s dbname=bench"
            .formatted(cluster.port(), Postgres.USER, Postgres.PASSWORD);
    assertThat(python("psycopg", conninfo).out()).endsWith("psycopg ok\n");
  }

  @Test
  void asyncpg() throws Exception {
    String port = Integer.toString(cluster.port());
    assertThat(python("asyncpg", port, Postgres.USER, Postgres.PASSWORD, "bench").out())
        .endsWith("asyncpg ok\n");
  }

  private static Finished python(String module, String... arguments)
      throws IOException, InterruptedException {
    Finished found = run(List.of(PYTHON, "-c", "import " + module));
    assumeTrue(found.status() == 0, "needs Debian's package python3-" + module);
    Path script = directory.resolve(module + "_client.py");
    try (InputStream source =
        ForeignClientsTest.class.getResourceAsStream("/clients/" + script.getFileName())) {
      Files.write(script, Objects.requireNonNull(source).readAllBytes());
    }
    List<String> command = new ArrayList<>(List.of(PYTHON, script.toString()));
    command.addAll(List.of(arguments));
    return run(command).succeeded();
  }

  private static Finished run(List<String> command) throws IOException, InterruptedException {
    try (DriverProcess process = cluster.workspace().startCommand(command, Map.of())) {
      return process.await();
    }
  }
}
