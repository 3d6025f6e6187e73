package io.shardmark.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Walks over the sources for what neither compiler nor formatter refuses. */
final class TidyTest {
  private static final int MAX_FILE_LINES = 600;
  private static final int MAX_METHOD_LINES = 70;

  private static final Pattern TYPE_DECLARATION =
      Pattern.compile(".*\\b(class|interface|enum|record|@interface)\\s+\\w+.*");

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

  private static final Pattern BAD_TYPE_NAME =
      Pattern.compile("\\w+(Utils?|Helper|Manager|Impl)|Abstract\\w*Base|\\w+V\\d|I[A-Z][a-z]\\w+");

  @Test
  void filesAreShort() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path file : ProjectTree.files(".java")) {
      int lines = Files.readAllLines(file).size();
      if (lines > MAX_FILE_LINES) {
        found.add(name(file) + " has " + lines + " lines");
      }
    }
    assertThat(found)
        .as("files of more than %d lines; split by responsibility", MAX_FILE_LINES)
        .isEmpty();
  }

  @Test
  void methodsAreShort() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path file : ProjectTree.files(".java")) {
      for (Block block : blocks(Files.readAllLines(file))) {
        if (block.lines() > MAX_METHOD_LINES) {
          found.add(name(file) + ":" + block.firstLine() + " has " + block.lines() + " lines");
        }
      }
    }
    assertThat(found)
        .as(
            "methods of more than %d lines; keep the branching, move straight-line work out",
            MAX_METHOD_LINES)
        .isEmpty();
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

  /** The checks above must see what they look for. */
  @ParameterizedTest
  @CsvSource({"StringUtils", "QueryHelper", "PoolManager", "ReportImpl", "AbstractLoaderBase"})
  void knowsABadTypeName(String type) {
    assertThat(BAD_TYPE_NAME.matcher(type).matches()).isTrue();
  }

  @Test
  void measuresBlocksByTheirIndentation() {
    List<String> source =
        List.of(
            "final class A {",
            "  void f(",
            "      int a)",
            "      throws X {",
            "    g();",
            "    h();",
            "  }",
            "",
            "  record B(int c) {",
            "    B {",
            "      h();",
            "      h();",
            "    }",
            "  }",
            "",
            "  List<Integer> table() {",
            "    return List.of(",
            "        1,",
            "        2);",
            "  }",
            "}");
    assertThat(blocks(source)).containsExactly(new Block(2, 6), new Block(10, 4));
  }

  private record Block(int firstLine, int lines) {}

  /**
   * Blocks of braces that are no types. Formatted sources close a block with a brace in the column
   * where its first line begins; a block inside of a method is shorter than the method.
   */
  private static List<Block> blocks(List<String> lines) {
    List<Block> blocks = new ArrayList<>();
    for (int end = 0; end < lines.size(); end++) {
      String line = lines.get(end);
      int indent = indentation(line);
      if (indent < 2 || !line.strip().equals("}")) {
        continue;
      }
      int start = end - 1;
      while (start > 0 && (lines.get(start).isBlank() || indentation(lines.get(start)) > indent)) {
        start--;
      }
      boolean isType = TYPE_DECLARATION.matcher(lines.get(start)).matches();
      if (!isType && !isTable(lines.subList(start + 1, end), indent)) {
        blocks.add(new Block(start + 1, end - start + 1));
      }
    }
    return blocks;
  }

  /** A method that is one statement, such as a list of cases, reads as a table however long. */
  private static boolean isTable(List<String> body, int indent) {
    return body.stream().filter(line -> indentation(line) == indent + 2).count() == 1
        && body.stream().noneMatch(line -> line.stripTrailing().endsWith("{"));
  }

  private static int indentation(String line) {
    return line.length() - line.stripLeading().length();
  }

  private static String name(Path file) {
    return ProjectTree.root().relativize(file).toString();
  }
}
