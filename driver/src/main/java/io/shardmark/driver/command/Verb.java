package io.shardmark.driver.command;

import io.shardmark.config.Key;
import io.shardmark.config.KeyUse;
import io.shardmark.config.PropertyKey;
import io.shardmark.driver.benchmark.Benchmark;
import io.shardmark.driver.registry.Benchmarks;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * All verbs, with what their {@code --help} says beyond their arguments: examples, exit statuses,
 * the page with the rest, and the keys that they read.
 */
enum Verb {
  RUN(
      RunCommand.class,
      "docs/measurement.md",
      Set.of(KeyUse.CONNECTION, KeyUse.RUN),
      "run props.pg",
      "run props.pg terminals 50 rampupMins 1 runMins 5"),
  BUILD(
      DatabaseVerbs.class,
      "docs/databases.md",
      Set.of(KeyUse.CONNECTION, KeyUse.LOAD),
      "build props.pg",
      "build -v props.pg warehouses 100 loadWorkers 8"),
  LOAD(
      DatabaseVerbs.class,
      "docs/databases.md",
      Set.of(KeyUse.CONNECTION, KeyUse.LOAD),
      "load props.pg warehouses 100",
      "load props.pg fileLocation csv/"),
  DESTROY(
      DatabaseVerbs.class,
      "docs/databases.md",
      Set.of(KeyUse.CONNECTION),
      "destroy props.pg",
      "destroy props.pg conn jdbc:postgresql://db2:5432/bench"),
  SQL(
      DatabaseVerbs.class,
      "docs/databases.md",
      Set.of(KeyUse.CONNECTION),
      "sql props.pg indexCreates",
      "sql props.pg my_own.sql"),
  VERIFY(
      VerifyCommand.class,
      "docs/tpcc-deviations.md",
      Set.of(KeyUse.CONNECTION),
      "verify props.pg",
      "verify props.pg conn jdbc:postgresql://db2:5432/bench"),
  ACID(
      AcidCommand.class,
      "docs/acid.md",
      Set.of(KeyUse.CONNECTION, KeyUse.ACID),
      "acid props.pg isolation repeatable_read",
      "acid props.pg acid.crash ./crash.sh acid.restart ./restart.sh"),
  RESET(
      ResetCommand.class,
      "docs/sweep.md",
      Set.of(KeyUse.CONNECTION),
      "reset props.pg",
      "reset props.pg conn jdbc:postgresql://db2:5432/bench"),
  REPORT(ResultVerbs.class, "docs/report.md", Set.of(), "report my_result_1", "report my_result_*"),
  COMPARE(
      CompareCommand.class,
      "docs/compare.md",
      Set.of(),
      "compare before=my_result_1 after=my_result_2",
      "compare -o nightly.html my_sweep results/published-klustron-2023"),
  SWEEP(
      SweepCommand.class,
      "docs/sweep.md",
      Set.of(KeyUse.CONNECTION, KeyUse.LOAD, KeyUse.RUN),
      "sweep props.pg --terminals 20,50,100 --repeat 3 rampupMins 1 runMins 5",
      "sweep props.pg --search tpmC rampupMins 1 runMins 5"),
  REPEAT(
      RepeatCommand.class,
      "docs/compare.md",
      Set.of(),
      "repeat klustron",
      "repeat klustron --full cluster=props.sharded single=props.ora --build first"),
  MERGE(
      ResultVerbs.class,
      "docs/several-drivers.md",
      Set.of(),
      "merge my_result_whole my_result_driver0 my_result_driver1",
      "merge my_result_whole my_result_driver*");

  /** Where standard output is no terminal: wide enough for an example on one line. */
  static final int WIDTH = 100;

  private static final int KEY_COLUMN = 26;

  private final Class<?> command;
  private final String page;

  @SuppressWarnings("ImmutableEnumChecker") // made by Set.of
  private final Set<KeyUse> uses;

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<String> examples;

  /**
   * @param command the verb's class, or the one that has a method for it
   */
  Verb(Class<?> command, String page, Set<KeyUse> uses, String... examples) {
    this.command = command;
    this.page = page;
    this.uses = uses;
    this.examples = List.of(examples);
  }

  /**
   * The verbs that a command line can mean: those among its words, since reading what the others
   * declare is a third of the time of a start; all of them where help may list them.
   */
  static Set<Verb> namedBy(String... words) {
    if (words.length == 0 || words[0].startsWith("-") || words[0].equals("help")) {
      return EnumSet.allOf(Verb.class);
    }
    Set<Verb> named = EnumSet.noneOf(Verb.class);
    for (Verb verb : values()) {
      if (List.of(words).contains(verb.word())) {
        named.add(verb);
      }
    }
    return named;
  }

  private String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Adds verbs to a command line, with what their annotations do not say. */
  static void addTo(CommandLine root, Set<Verb> verbs) {
    for (Verb verb : verbs) {
      String name = verb.word();
      List<Method> methods = CommandLine.getCommandMethods(verb.command, name);
      CommandLine line = new CommandLine(methods.isEmpty() ? verb.command : methods.get(0));
      // Put together when it is shown, which is hardly ever: this is on the way of every start.
      line.getHelpSectionMap()
          .put(
              UsageMessageSpec.SECTION_KEY_FOOTER,
              shown -> verb.footer(shown.commandSpec().usageMessage().width()));
      root.addSubcommand(line);
    }
    root.addSubcommand(new HelpCommand());
  }

  private String footer(int width) {
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add("Examples:");
    examples.forEach(example -> lines.add("  java -jar driver.jar " + example));
    lines.add("");
    lines.add("More: " + page);
    if (!uses.isEmpty()) {
      lines.add("");
      lines.add("Keys of PROPS that it reads (more: docs/properties.md):");
      lines.addAll(keyLines(List.of(PropertyKey.values()), width));
      Benchmark first = Benchmarks.ALL.get(0);
      List<String> own = keyLines(first.keys(), width);
      if (!own.isEmpty()) {
        lines.add("");
        lines.add("With workload=%s (%s), the default:".formatted(first.key(), first.title()));
        lines.addAll(own);
      }
      lines.add("");
      lines.add(
          Benchmarks.ALL.stream()
              .skip(1)
              .map(Benchmark::key)
              .collect(
                  Collectors.joining(", ", "Other workloads: ", "; keys: docs/properties.md")));
    }
    return String.join(System.lineSeparator(), lines) + System.lineSeparator();
  }

  private List<String> keyLines(List<? extends Key> keys, int width) {
    return keys.stream()
        .filter(key -> !Collections.disjoint(key.uses(), uses))
        .flatMap(key -> keyLines(key, width).stream())
        .toList();
  }

  /** {@code name meaning (type; default)}, further lines below the meaning. */
  private static List<String> keyLines(Key key, int width) {
    String text = "%s (%s; %s)".formatted(key.meaning(), key.type().label(), missing(key));
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder(("  " + key.key() + " ".repeat(KEY_COLUMN)));
    line.setLength(Math.max(KEY_COLUMN, key.key().length() + 3));
    for (String word : text.split(" ", -1)) {
      if (line.length() + word.length() >= width) {
        lines.add(line.toString().stripTrailing());
        line = new StringBuilder(" ".repeat(KEY_COLUMN));
      }
      line.append(word).append(' ');
    }
    lines.add(line.toString().stripTrailing());
    return lines;
  }

  private static String missing(Key key) {
    return key.missing().startsWith("required") ? key.missing() : "default: " + key.missing();
  }
}
