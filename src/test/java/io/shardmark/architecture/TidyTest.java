package io.shardmark.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Walks over the sources for what neither compiler nor formatter refuses. */
final class TidyTest {
  /** The comment behind a catch of everything, which only the top of a thread may have. */
  private static final String TOP_OF_A_THREAD = "// top of a thread";

  /** Text that no source may hold, and what to write instead. */
  private static final Map<Pattern, String> BANNED =
      Map.of(
          Pattern.compile("\\bThread\\.sl" + "eep\\("),
          "wait for the event: a latch, a future, a ScheduledExecutorService",
          Pattern.compile("\\bSystem\\.currentTimeMi" + "llis\\("),
          "System.nanoTime for durations, Instant.now for dates",
          Pattern.compile("catch \\((final )?(Exception|Throwable) "),
          "catch the narrowest type that can be thrown here; the one handler at the top of a thread"
              + " says so: "
              + TOP_OF_A_THREAD,
          Pattern.compile("\\b(TO" + "DO|FIX" + "ME)\\b(?!\\(#\\d+\\))"),
          "do it now, or name an issue of this project: TO" + "DO(#12)",
          Pattern.compile("\t"),
          "spaces, as google-java-format writes them");

  /** File name and banned text, with the reason why it may stand there. */
  private static final Map<String, String> ALLOWED = Map.of();

  private static final int LONGEST_TEST_NAME = 60;

  private static final Pattern BAD_TYPE_NAME =
      Pattern.compile("\\w+(Utils?|Helper|Manager|Impl)|Abstract\\w*Base|\\w+V\\d|I[A-Z][a-z]\\w+");

  /** Files of the proxy whose characters are of SQL, COPY text, catalogs, or before messages. */
  private static final TreeSet<String> CHARACTERS_OF_OTHER_TEXTS =
      new TreeSet<>(
          List.of(
              "KeyText.java",
              "LineRows.java",
              "RuleBuilder.java",
              "ServerLogin.java", // the answer to SSLRequest
              "ShardMapBuilder.java",
              "SqlLexer.java",
              "ValueKey.java"));

  /** Words of one benchmark, which its own packages and the readers of its files may have. */
  private static final Pattern WORDS_OF_TPCC = Pattern.compile("[wW]arehouse|tpmC|NEW_ORDER|bmsql");

  private static final Path DRIVER = Path.of("driver/src/main/java/io/shardmark/driver");

  private static final List<String> BENCHMARKS =
      List.of("tpcc", "tpcb", "sysbench", "script", "bmt", "replication", "isolation");

  /** Lines with such words, by package of the driver; others have none. Limits only fall. */
  private static final Map<String, Integer> LINES_WITH_WORDS_OF_TPCC =
      Map.ofEntries(
          Map.entry("benchmark", 5),
          Map.entry("command", 7),
          Map.entry("console", 1),
          Map.entry("compare", 9),
          Map.entry("recorder", 1),
          Map.entry("results", 5),
          Map.entry("results/reader", 4),
          Map.entry("run", 2),
          Map.entry("sweep", 3),
          Map.entry("verify", 2));

  @Test
  void wordsOfOneBenchmarkStayInItsPackages() throws IOException {
    Path driver = ProjectTree.root().resolve(DRIVER);
    Map<String, Integer> found = new TreeMap<>();
    for (Path file : ProjectTree.files(".java")) {
      if (file.startsWith(driver)) {
        Path inDriver = driver.relativize(file.resolveSibling(""));
        long lines =
            Files.readAllLines(file).stream()
                .filter(line -> WORDS_OF_TPCC.matcher(line).find())
                .count();
        if (lines > 0 && !BENCHMARKS.contains(inDriver.getName(0).toString())) {
          found.merge(inDriver.toString(), (int) lines, Integer::sum);
        }
      }
    }
    assertThat(found).isNotEmpty();
    found
        .entrySet()
        .removeIf(one -> one.getValue() <= LINES_WITH_WORDS_OF_TPCC.getOrDefault(one.getKey(), 0));
    assertThat(found)
        .as(
            "packages with more lines that name warehouses, tpmC and the like than they had; take"
                + " the run's scale, the benchmark's metrics or its types instead")
        .isEmpty();
  }

  /** A byte that says what a message is has one table for each direction, which checks it. */
  @Test
  void onlyTheProtocolsTablesKnowTagBytes() throws IOException {
    Path main = ProjectTree.root().resolve("proxy/src/main/java/io/shardmark/proxy");
    Pattern tag = Pattern.compile("[!=]= '[A-Za-z0-9]'|case '[A-Za-z0-9]'");
    TreeSet<String> found = new TreeSet<>();
    for (Path file : ProjectTree.files(".java")) {
      if (file.startsWith(main) && !file.startsWith(main.resolve("protocol"))) {
        if (Files.readAllLines(file).stream().anyMatch(line -> tag.matcher(line).find())) {
          found.add(String.valueOf(file.getFileName()));
        }
      }
    }
    assertThat(found)
        .as("files that compare characters; of messages, take FrontendType or BackendType")
        .containsExactlyElementsOf(CHARACTERS_OF_OTHER_TEXTS);
  }

  /**
   * What {@code formatted} and {@code toLowerCase} make goes into SQL, keys and files, in whatever
   * locale the user works: digits of Persian or Arabic, the i of Turkish. So a process has one.
   */
  @Test
  void everyProcessHasTheLocaleOfMachines() throws IOException {
    Pattern main = Pattern.compile("public static void main\\(String\\[] \\w+\\)[^{]*\\{");
    Pattern set = Pattern.compile("\\s*(//[^\n]*\\s*)*Locale\\.setDefault\\(Locale\\.ROOT\\);");
    List<String> found = new ArrayList<>();
    int processes = 0;
    for (Path file : ProjectTree.files(".java")) {
      String text = Files.readString(file);
      Matcher begin = main.matcher(text);
      if (file.toString().contains("src/main/java") && begin.find()) {
        processes++;
        if (!set.matcher(text).region(begin.end(), text.length()).lookingAt()) {
          found.add(name(file));
        }
      }
    }
    assertThat(processes).isPositive();
    assertThat(found).as("begin with Locale.setDefault(Locale.ROOT)").isEmpty();
  }

  @Test
  void typesAreNamedForWhatTheyAre() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path file : ProjectTree.files(".java")) {
      String type = String.valueOf(file.getFileName()).replace(".java", "");
      if (BAD_TYPE_NAME.matcher(type).matches()) {
        found.add(name(file));
      }
    }
    assertThat(found)
        .as("types named for nothing; use the field's noun for what it holds or does")
        .isEmpty();
  }

  @Test
  void testsHaveShortNames() throws IOException {
    Pattern test = Pattern.compile("@(?:Parameterized|Repeated)?Test\\b[^;{]*?\\bvoid (\\w+)\\(");
    List<String> found = new ArrayList<>();
    for (Path file : ProjectTree.files(".java")) {
      Matcher matcher = test.matcher(Files.readString(file));
      while (matcher.find()) {
        if (matcher.group(1).length() > LONGEST_TEST_NAME) {
          found.add(name(file) + " " + matcher.group(1));
        }
      }
    }
    assertThat(found)
        .as("tests whose names have more than %d characters", LONGEST_TEST_NAME)
        .isEmpty();
  }

  @Test
  void bannedCallsStayOut() throws IOException {
    List<String> found = new ArrayList<>();
    TreeSet<String> unused = new TreeSet<>(ALLOWED.keySet());
    for (Path file : ProjectTree.files(".java")) {
      List<String> lines = Files.readAllLines(file);
      for (int i = 0; i < lines.size(); i++) {
        String line = lines.get(i);
        for (Map.Entry<Pattern, String> ban : BANNED.entrySet()) {
          var matcher = ban.getKey().matcher(line);
          if (matcher.find() && !isTopOfAThread(matcher.group(), line)) {
            String key = file.getFileName() + " " + matcher.group();
            unused.remove(key);
            if (!ALLOWED.containsKey(key)) {
              found.add(
                  name(file)
                      + ":"
                      + (i + 1)
                      + " \""
                      + matcher.group()
                      + "\"; instead, "
                      + ban.getValue());
            }
          }
        }
      }
    }
    assertThat(found).isEmpty();
    assertThat(unused).as("allowances that nothing needs any more; delete them").isEmpty();
  }

  private static boolean isTopOfAThread(String banned, String line) {
    return banned.startsWith("catch") && line.stripTrailing().endsWith(TOP_OF_A_THREAD);
  }

  @Test
  void nothingPointsOutsideOfTheProject() throws IOException {
    Pattern outside = Pattern.compile("(?<![\\w.])/wo" + "rk/|\\.\\./sha" + "red");
    List<String> found = new ArrayList<>();
    for (Path file :
        ProjectTree.files(
            ".java", ".xml", ".md", ".sh", ".sql", ".properties", ".yaml", ".yml", "/run", ".pg")) {
      List<String> lines = Files.readAllLines(file);
      for (int i = 0; i < lines.size(); i++) {
        if (outside.matcher(lines.get(i)).find()) {
          found.add(name(file) + ":" + (i + 1));
        }
      }
    }
    assertThat(found)
        .as("paths outside of the project; say it in the project's own docs, or take an option")
        .isEmpty();
  }

  /** What the profile {@code fast} leaves out. */
  @Test
  void testsWithServersExist() throws IOException {
    List<String> tests =
        ProjectTree.files("Test.java").stream().map(file -> file.toUri().getPath()).toList();
    List<String> named =
        Files.readAllLines(ProjectTree.root().resolve("src/test/with-servers.txt")).stream()
            .filter(line -> line.startsWith("**/") && !line.contains("$"))
            .map(line -> line.substring(2).replace("**", ""))
            .toList();
    assertThat(named)
        .hasSizeGreaterThan(20)
        .allMatch(name -> tests.stream().anyMatch(test -> test.contains(name)));
  }

  /** The checks above must see what they look for. */
  @ParameterizedTest
  @CsvSource({"StringUtils", "QueryHelper", "PoolManager", "ReportImpl", "AbstractLoaderBase"})
  void knowsABadTypeName(String type) {
    assertThat(BAD_TYPE_NAME.matcher(type).matches()).isTrue();
  }

  private static String name(Path file) {
    return ProjectTree.root().relativize(file).toString();
  }
}
