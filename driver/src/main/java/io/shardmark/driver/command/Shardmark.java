package io.shardmark.driver.command;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConfigException;
import io.shardmark.config.ConnectionConfig;
import io.shardmark.config.FileFault;
import io.shardmark.config.Spelling;
import io.shardmark.config.UsageException;
import io.shardmark.driver.registry.Benchmarks;
import io.shardmark.driver.run.ExitStatus;
import io.shardmark.driver.run.Product;
import io.shardmark.loader.LoadException;
import io.shardmark.sql.script.ScriptException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;

/**
 * The root command: runs a benchmark, or shows the whole round on an embedded server if it is given
 * nothing.
 */
@Command(
    name = "driver.jar",
    description = {
      "Loads, drives and verifies TPC-C, as BenchmarkSQL does.",
      "",
      "With a properties file alone: runs the benchmark; if its conn=embedded:... keeps no data,"
          + " builds and verifies too.",
      "With nothing at all: builds a small database on an embedded PostgreSQL, runs, verifies, and"
          + " says where the results are."
    },
    footer = {
      "",
      "driver.jar help VERB describes a verb; docs/properties.md has every key.",
      "First steps: copy config/props.pg, edit it, then: build props.pg, run props.pg."
    },
    exitCodeListHeading = "%nExit statuses:%n",
    exitCodeList = {
      " 0:done",
      " 1:not done, or a check found something: one line says what",
      " 2:wrong usage: the command line cannot be understood",
      " 4:measured, and a threshold of failOn is broken, or a history's latest run is worse than usual",
      " 130:ended by Ctrl-C"
    },
    mixinStandardHelpOptions = true,
    versionProvider = Shardmark.Version.class,
    scope = ScopeType.INHERIT)
public final class Shardmark implements Callable<Integer> {
  /** A word that was rather meant as a verb: files have a dot or a directory. */
  private static final Pattern NO_FILE_NAME = Pattern.compile("[A-Za-z]+");

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "PROPS",
      description = "properties file of the run")
  private @Nullable Path file;

  @Parameters(
      index = "1..*",
      paramLabel = "KEY VALUE",
      description = "keys that win over the file's")
  private List<String> overrides = List.of();

  /**
   * Runs a command line and returns its exit status. Prints one line on standard error if it fails.
   */
  public static int execute(String... arguments) {
    CommandLine line = commandLine(Verb.namedBy(arguments));
    if (arguments.length > 1 && List.of("--version", "-V").contains(arguments[0])) {
      return wrongUsage(
          "%s: no words follow, '%s' does".formatted(arguments[0], arguments[1]), line);
    }
    line.setExecutionExceptionHandler((fault, command, parsed) -> report(fault, command));
    line.setParameterExceptionHandler(
        (fault, words) -> wrongUsage(String.valueOf(fault.getMessage()), fault.getCommandLine()));
    return line.execute(arguments);
  }

  /** All verbs with their help. */
  public static CommandLine commandLine() {
    return commandLine(EnumSet.allOf(Verb.class));
  }

  private static CommandLine commandLine(Set<Verb> verbs) {
    CommandLine line = new CommandLine(new Shardmark());
    Verb.addTo(line, verbs);
    return line.setUsageHelpWidth(Verb.WIDTH).setUsageHelpAutoWidth(true);
  }

  /** One line: the whole usage would hide what was wrong. */
  private static int wrongUsage(String message, CommandLine command) {
    boolean verb = command.getParent() != null && !(command.getCommand() instanceof HelpCommand);
    command
        .getErr()
        .printf(
            "ERROR: %s (java -jar driver.jar help%s)%n",
            message.strip().replaceAll("\\s+", " "), verb ? " " + command.getCommandName() : "");
    return ExitStatus.USAGE;
  }

  /**
   * Faults that users can do something about are shown in their own words; any other is one of the
   * program, and its trace is what we need.
   */
  private static int report(Exception fault, CommandLine command) throws Exception {
    if (fault instanceof ConfigException
        || fault instanceof LoadException
        || fault instanceof ScriptException
        || fault instanceof SQLException
        || fault instanceof IOException) {
      command.getErr().println("ERROR: " + message(fault));
      return ExitStatus.FAILED;
    }
    if (fault instanceof UsageException) {
      return wrongUsage(String.valueOf(fault.getMessage()), command);
    }
    if (fault instanceof InterruptedException) {
      command.getErr().println("ERROR: interrupted");
      return ExitStatus.FAILED;
    }
    throw fault;
  }

  private static String message(Exception fault) {
    String message = fault.getMessage();
    if (fault instanceof IOException ofFile) {
      return FileFault.message(ofFile);
    }
    return message == null ? fault.toString() : message;
  }

  @Override
  public Integer call() throws Exception {
    if (file == null) {
      return DemoRound.run();
    }
    if (!Files.exists(file) && NO_FILE_NAME.matcher(file.toString()).matches()) {
      throw new UsageException(noVerb(file.toString(), commandLine()));
    }
    BenchmarkProperties properties = BenchmarkProperties.read(Benchmarks.KEYS, file, overrides);
    ConnectionConfig connection = properties.connection();
    // Nothing can have been loaded into a server that starts now and keeps nothing.
    return !DatabaseVerbs.isKept(connection) && Benchmarks.of(properties).hasTables()
        ? DemoRound.run(properties)
        : RunCommand.run(properties);
  }

  static String noVerb(String word, CommandLine root) {
    Set<String> verbs = root.getSubcommands().keySet();
    return Spelling.nearest(word, verbs)
        .map(verb -> "'%s' is no verb: did you mean '%s'?".formatted(word, verb))
        .orElse(
            "'%s' is neither a verb (%s) nor a properties file"
                .formatted(word, String.join(", ", verbs)));
  }

  /** What {@code --version} prints: version, commit and JDK. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return Product.BUILD.lines("Shardmark");
    }
  }
}
