package io.shardmark.driver.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.driver.results.ServerProcess;
import io.shardmark.driver.servers.SharedPostgres;
import io.shardmark.sql.jdbc.PostgresEndpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ListeningProcessTest {
  private static final long BURNT_NANOS = 300_000_000;

  @TempDir private Path directory;

  private static long self() {
    return ProcessHandle.current().pid();
  }

  @Test
  void readsTheKernelsText() {
    ProcessStat stat =
        ProcessStat.parse(
            "77 (a (b) c)) S 1 77 76 0 -1 4194560 1 2 3 4 250 125 30 7 20 0 30 0 99 1 2");

    assertThat(stat)
        .isEqualTo(
            new ProcessStat(
                "a (b) c)",
                1,
                76,
                99,
                new ProcessorTime(2_500_000_000L, 1_250_000_000L),
                new ProcessorTime(300_000_000, 70_000_000)));
  }

  /** One here that listens at all addresses is not that of another machine. */
  @Test
  void findsWhatListensHereAndOnlyHere() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      int port = socket.getLocalPort();

      assertThat(ListeningProcess.at(new PostgresEndpoint("127.0.0.1", port)))
          .map(ListeningProcess::pid)
          .contains(self());
      assertThat(ListeningProcess.at(new PostgresEndpoint("192.0.2.1", port))).isEmpty();
    }
  }

  @Test
  void findsNobodyWherePeopleOnlyConnect() throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (ServerSocket server = new ServerSocket(0, 1, loopback);
        Socket client = new Socket(loopback, server.getLocalPort())) {
      int port = client.getLocalPort();
      assertThat(ListeningProcess.at(new PostgresEndpoint("127.0.0.1", port))).isEmpty();
    }
  }

  @Test
  void findsWhoListensAtASocketOfTheFileSystem() throws IOException {
    Path socket = directory.resolve("socket");
    Path link = Files.createSymbolicLink(directory.resolve("link"), socket);
    try (ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.bind(UnixDomainSocketAddress.of(socket));

      assertThat(ListeningProcess.at(link)).map(ListeningProcess::pid).contains(self());
    }
    assertThat(ListeningProcess.at(socket)).isEmpty();
  }

  @Test
  void anotherProcessOfTheSameNumberIsNotTakenForIt() {
    ProcessStat stat = ProcessStat.of(self()).orElseThrow();
    assertThat(new ListeningProcess(self(), "java", stat.startTick()).processorTime()).isPresent();

    assertThat(new ListeningProcess(self(), "java", stat.startTick() + 1).processorTime())
        .isEmpty();
  }

  /** A PostgreSQL session is a process of its own. */
  @Test
  void countsWhatASessionUsedThatHasEnded() throws SQLException {
    try (Connection connection = SharedPostgres.connect("postgres")) {
      PostgresEndpoint endpoint =
          PostgresEndpoint.of(connection.getMetaData().getURL(), "postgres")
              .orElseThrow()
              .endpoints()
              .get(0);
      ServerProcesses processes =
          new ServerProcesses(
              List.of(
                  new ServerProcesses.ProcessNode(
                      "server", endpoint.toString(), ListeningProcess.at(endpoint)),
                  new ServerProcesses.ProcessNode("worker", "elsewhere:5432", Optional.empty())));
      processes.beginInterval();
      long session = burn();
      ProcessHandle.of(session).ifPresent(process -> process.onExit().join());
      processes.endInterval();

      ServerProcess server = processes.used().get(0);
      assertThat(server.program()).isEqualTo("postgres");
      // Each of a dozen processes is read to 10 ms, twice.
      assertThat(server.processorSeconds()).isGreaterThan(0.5 * BURNT_NANOS / 1e9);
      assertThat(processes.used().get(1))
          .isEqualTo(new ServerProcess("worker", "elsewhere:5432", null, null, null));
    }
  }

  /** Lets a session work until the kernel has seen it; returns its process. */
  private static long burn() throws SQLException {
    try (Connection connection = SharedPostgres.connect("postgres");
        Statement statement = connection.createStatement()) {
      long pid = number(statement, "select pg_backend_pid()");
      while (ProcessStat.of(pid).orElseThrow().own().user() < BURNT_NANOS) {
        number(statement, "select count(*) from generate_series(1, 200000)");
      }
      return pid;
    }
  }

  private static long number(Statement statement, String query) throws SQLException {
    try (ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getLong(1);
    }
  }

  @Test
  void withoutABeginNothingIsKnown() {
    Optional<ListeningProcess> here =
        ProcessStat.of(self()).map(stat -> new ListeningProcess(self(), "java", stat.startTick()));
    ServerProcesses processes =
        new ServerProcesses(List.of(new ServerProcesses.ProcessNode("server", "here", here)));
    processes.endInterval();

    assertThat(processes.used())
        .containsExactly(new ServerProcess("server", "here", null, null, null));
  }
}
