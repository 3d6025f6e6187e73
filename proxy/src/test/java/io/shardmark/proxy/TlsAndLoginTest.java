package io.shardmark.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program with TLS and passwords, and psql and pgjdbc that verify it. */
final class TlsAndLoginTest {
  private static final Pattern LISTENING =
      Pattern.compile("listening on 127\\.0\\.0\\.1:(\\d+),.*");
  private static final Path PSQL = Path.of("/usr/bin/psql");

  @TempDir private static Path directory;
  private static TestCertificate own;
  private static TestCertificate strange;

  @BeforeAll
  static void makeCertificates() throws Exception {
    own = TestCertificate.create(Files.createDirectory(directory.resolve("own")));
    strange = TestCertificate.create(Files.createDirectory(directory.resolve("strange")));
    Files.setPosixFilePermissions(own.key(), PosixFilePermissions.fromString("rw-------"));
  }

  /** The program in a process of its own. */
  private record Running(Process process, int port) implements AutoCloseable {
    Connection connect(String user, String password, String options) throws SQLException {
      return DriverManager.getConnection(
          "jdbc:postgresql://127.0.0.1:" + port + "/any?" + options, user, password);
    }

    @Override
    public void close() throws IOException {
      process.destroyForcibly().onExit().join();
      process.getInputStream().close();
    }
  }

  private static Running start(String... keys) throws Exception {
    Path file = directory.resolve("proxy.yaml");
    Files.writeString(
        file,
        TwoShards.create().yaml()
            + "listen: 127.0.0.1:0\ndatabases: [any]\n"
            + String.join("\n", keys)
            + "\n");
    List<String> command = ProxyProgram.command();
    command.add(file.toString());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    List<String> seen = new ArrayList<>();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Matcher listening = LISTENING.matcher(line);
      if (listening.matches()) {
        return new Running(process, Integer.parseInt(listening.group(1)));
      }
      seen.add(line);
    }
    throw new AssertionError("it ended before it listened: " + seen);
  }

  private static String tls(String... more) {
    return "tls: {certificate: %s, key: %s%s}"
        .formatted(own.certificate(), own.key(), String.join("", more));
  }

  private static void assertAnswers(Connection connection) throws SQLException {
    try (connection;
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select 7")) {
      assertThat(row.next()).isTrue();
      assertThat(row.getInt(1)).isEqualTo(7);
    }
  }

  private static String sqlState(org.assertj.core.api.ThrowableAssert.ThrowingCallable attempt) {
    String[] state = new String[1];
    assertThatThrownBy(attempt)
        .isInstanceOfSatisfying(SQLException.class, e -> state[0] = e.getSQLState());
    return state[0];
  }

  @Test
  void clientsVerifyTheProxy() throws Exception {
    try (Running proxy = start(tls(", required: true"))) {
      for (String more : List.of("", "&sslNegotiation=direct")) {
        String verify = "sslmode=verify-full" + more + "&sslrootcert=";
        assertAnswers(proxy.connect("postgres", "postgres", verify + own.certificate()));
        assertThat(
                sqlState(
                    () -> proxy.connect("postgres", "postgres", verify + strange.certificate())))
            .isEqualTo("08006");
      }
      assertThat(sqlState(() -> proxy.connect("postgres", "postgres", "sslmode=disable")))
          .isEqualTo("28000");
      assumeTrue(Files.isExecutable(PSQL), "needs psql");
      Map<String, String> verify = new TreeMap<>(Map.of("PGSSLMODE", "verify-full"));
      verify.put("PGSSLROOTCERT", own.certificate().toString());
      assertThat(psql(proxy, verify)).isEqualTo("7");
      verify.put("PGSSLROOTCERT", strange.certificate().toString());
      assertThat(psql(proxy, verify)).contains("certificate verify failed");
    }
  }

  @Test
  void clientsShowTheirCertificates() throws Exception {
    assumeTrue(Files.isExecutable(PSQL), "needs psql");
    try (Running proxy = start(tls(", client_ca: " + own.certificate()))) {
      Map<String, String> verify = new TreeMap<>(Map.of("PGSSLMODE", "verify-full"));
      verify.put("PGSSLROOTCERT", own.certificate().toString());
      assertThat(psql(proxy, verify)).isNotEqualTo("7").contains("SSL");
      verify.put("PGSSLCERT", own.certificate().toString());
      verify.put("PGSSLKEY", own.key().toString());
      assertThat(psql(proxy, verify)).isEqualTo("7");
      Files.setPosixFilePermissions(strange.key(), PosixFilePermissions.fromString("rw-------"));
      verify.put("PGSSLCERT", strange.certificate().toString());
      verify.put("PGSSLKEY", strange.key().toString());
      assertThat(psql(proxy, verify)).isNotEqualTo("7").contains("SSL");
    }
  }

  @Test
  void passwordsAndTheNumberOfClientsAreChecked() throws Exception {
    try (Running proxy = start("max_clients: 2")) {
      assertThat(sqlState(() -> proxy.connect("postgres", "wrong", ""))).isEqualTo("28P01");
      assertThat(sqlState(() -> proxy.connect("nobody", "postgres", ""))).isEqualTo("28P01");
      try (Connection one = proxy.connect("postgres", "postgres", "");
          Connection two = proxy.connect("postgres", "postgres", "")) {
        assertThat(sqlState(() -> proxy.connect("postgres", "postgres", ""))).isEqualTo("53300");
        assertThat(one.isValid(60)).isTrue();
        assertThat(two.isValid(60)).isTrue();
      }
    }
  }

  private static String psql(Running proxy, Map<String, String> environment)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
            PSQL.toString(),
            "-XAt",
            "-c",
            "select 7",
            "host=127.0.0.1 dbname=any user=postgres port=" + proxy.port());
    builder.environment().put("PGPASSWORD", "postgres");
    builder.environment().put("LC_ALL", "C.UTF-8");
    builder.environment().putAll(environment);
    Process process = builder.redirectErrorStream(true).start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    process.waitFor();
    return output;
  }
}
