package io.shardmark.proxy;

import io.shardmark.config.BuildInfo;
import io.shardmark.config.ConfigException;
import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.proxy.background.BackgroundRunner;
import io.shardmark.proxy.catalog.CatalogReader;
import io.shardmark.proxy.catalog.ShardConnections;
import io.shardmark.proxy.catalog.StartupCheck;
import io.shardmark.proxy.recovery.ShardAccess;
import io.shardmark.proxy.recovery.ShardIdentities;
import io.shardmark.proxy.shards.ShardHosts;
import io.shardmark.proxy.standby.HostWatch;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.Security;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Starts the proxy: {@code java -jar proxy.jar proxy.yaml}. Status 0 after an orderly stop, 1 if it
 * cannot run as configured, 2 for a wrong command line.
 */
@Command(
    name = "proxy.jar",
    description = "A PostgreSQL endpoint over hash-sharded PostgreSQL servers.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class)
@SuppressWarnings("NullAway.Init") // picocli sets the fields before it calls
public final class Main implements Callable<Integer> {
  /**
   * Exit status: the configuration cannot be used, an address is taken, --check found a problem.
   */
  private static final int FAILED = 1;

  /**
   * System properties that the command line may set otherwise: log lines of one line each, and none
   * of Netty's search for buffers that nobody released. Its samples take two stack traces for every
   * 128th buffer, a twentieth of the proxy's processor time; the tests run with all of them.
   */
  private static final Map<String, String> PROPERTIES =
      Map.of(
          "java.util.logging.SimpleFormatter.format", "%1$tFT%1$tT.%1$tL %4$s %5$s%6$s%n",
          "io.netty.leakDetection.level", "disabled");

  @Spec private CommandLine.Model.CommandSpec spec;

  @Parameters(
      index = "0",
      paramLabel = "proxy.yaml",
      description = "what to listen on, the shards, the users: see docs/proxy-properties.md")
  private Path file;

  @Option(
      names = "--check",
      description = "look at the shards, say what is wrong, and end: status 0 if nothing is")
  private boolean check;

  private Main() {}

  public static void main(String[] args) {
    Locale.setDefault(Locale.ROOT); // statements, names and metrics are for machines
    PROPERTIES.forEach(System.getProperties()::putIfAbsent); // before the first log line
    // The JDK would keep an address for half a minute, a failover's too.
    Security.setProperty("networkaddress.cache.ttl", "1");
    Security.setProperty("networkaddress.cache.negative.ttl", "1");
    Thread.setDefaultUncaughtExceptionHandler(BackgroundRunner::uncaught);
    CommandLine commandLine = new CommandLine(new Main());
    commandLine.setExecutionExceptionHandler(Main::failed);
    int status = commandLine.execute(args);
    if (status != ProxyProcess.SERVING) {
      System.exit(status);
    }
  }

  private static int failed(
      Exception failure, CommandLine commandLine, CommandLine.ParseResult parsed) throws Exception {
    if (failure instanceof ConfigException) {
      commandLine.getErr().println(failure.getMessage());
      return FAILED;
    }
    throw failure;
  }

  @Override
  public Integer call() throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    ConfigFile config = new ConfigFile(file);
    return check ? check(config.get(), out) : ProxyProcess.start(config, out);
  }

  private static int check(ProxyConfig config, PrintWriter out) throws InterruptedException {
    ShardHosts hosts = new ShardHosts(() -> config);
    ShardConnections connections = new ShardConnections(() -> config, hosts);
    try (BackgroundRunner runner = new BackgroundRunner();
        CatalogReader reader = new CatalogReader(connections, Clock.systemUTC())) {
      HostWatch watch = new HostWatch(hosts, connections, runner);
      watch.start();
      reader.read(config.sharding());
      StartupCheck.Report report = StartupCheck.run(config, reader);
      List<String> problems = new ArrayList<>(watch.problems());
      problems.addAll(report.problems());
      problems.addAll(ShardIdentities.problems(ShardAccess.all(connections)));
      problems.forEach(line -> out.println("problem: " + line));
      report.notes().forEach(line -> out.println("note: " + line));
      out.println(
          problems.isEmpty()
              ? "no problem found on %d shards, %d tables"
                  .formatted(config.shards().size(), reader.last().map().tables().size())
              : problems.size() + " problems found");
      out.flush();
      return problems.isEmpty() ? CommandLine.ExitCode.OK : FAILED;
    }
  }

  /** What {@code --version} prints: version, commit and JDK. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      return BuildInfo.of(Main.class).lines("Shardmark proxy");
    }
  }
}
