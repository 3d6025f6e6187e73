package io.shardmark.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Documents and main code are written as reference manuals are, in lines that can be compared. */
final class LanguageTest {
  /** Words that a reader stumbles over; each has a plainer one. */
  private static final Pattern DIALECT =
      Pattern.compile(
          "(?i)\\b(tells?|telling|told|beside|stands?|hangs? on|dear|at hand|by itself|whoever"
              + "|(?<!there )is none|of (its|their)\\s+own"
              + "|behind(?!\\s+(the|a|one|several)\\s+([\\w-]+\\s+){0,2}"
              + "(prox(y|ies)|load\\s+balancer|endpoint)))\\b");

  private static final int LONGEST_LINE = 300;
  private static final int LONGEST_PARAGRAPH = 5;

  /** Nothing, a heading, a row of a table, or where a link leads. */
  private static final Pattern NO_TEXT = Pattern.compile("\\s*|#.*|\\s*\\|.*|\\[[\\w-]+]: .*");

  private static final Pattern ITEM = Pattern.compile("\\s*([-*]|\\d+\\.) .*");

  /** Most such words in main code, by module. Limits only fall. */
  private static final Map<String, Integer> MOST_DIALECT =
      Map.of("config", 0, "sql", 0, "loader", 0, "driver", 1, "proxy", 5);

  /** Rows that quote what programs say. A test makes them. */
  private static final Path QUOTED = Path.of("docs/bad-input.md");

  @Test
  void documentsHaveNoDialect() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path page : documents()) {
      DIALECT
          .matcher(Files.readString(page))
          .results()
          .forEach(
              word ->
                  found.add(ProjectTree.root().relativize(page) + ": \"" + word.group() + "\""));
    }
    assertThat(found).as("words of documents that PostgreSQL's manual would not use").isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"config", "sql", "loader", "driver", "proxy"})
  void mainCodeHasNoMoreDialectThanItHad(String module) throws IOException {
    Path main = ProjectTree.root().resolve(module).resolve("src/main");
    Map<String, Integer> packages = new TreeMap<>();
    for (Path file : ProjectTree.files(".java")) {
      int words = (int) DIALECT.matcher(Files.readString(file)).results().count();
      if (file.startsWith(main) && words > 0) {
        packages.merge(main.relativize(file.resolveSibling("")).toString(), words, Integer::sum);
      }
    }
    int all = packages.values().stream().mapToInt(Integer::intValue).sum();
    System.out.println(module + ": " + all + " words of the dialect");
    assertThat(all)
        .as("words of %s that PostgreSQL's manual would not use, by package: %s", module, packages)
        .isLessThanOrEqualTo(MOST_DIALECT.get(module));
  }

  @Test
  void documentsHaveShortLinesAndParagraphs() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path page : documents()) {
      boolean fenced = false;
      int paragraph = 0;
      List<String> lines = Files.readAllLines(page);
      for (int i = 0; i < lines.size(); i++) {
        String line = lines.get(i);
        String place = ProjectTree.root().relativize(page) + ":" + (i + 1);
        fenced ^= line.stripLeading().startsWith("```");
        boolean text = !fenced && !NO_TEXT.matcher(line).matches();
        paragraph = !text ? 0 : ITEM.matcher(line).matches() ? 1 : paragraph + 1;
        if (line.length() > LONGEST_LINE) {
          found.add(place + " has " + line.length() + " characters");
        }
        if (paragraph == LONGEST_PARAGRAPH + 1) {
          found.add(place + " is the sixth line of a paragraph");
        }
      }
    }
    assertThat(found).isEmpty();
  }

  /** All pages but those that a program has written. */
  private static List<Path> documents() throws IOException {
    Path root = ProjectTree.root();
    List<Path> pages = new ArrayList<>();
    pages.add(root.resolve("results/README.md"));
    pages.add(root.resolve("src/test/bench/README.md"));
    for (Path directory : List.of(root, root.resolve("docs"))) {
      try (Stream<Path> files = Files.list(directory)) {
        files
            .filter(file -> file.toString().endsWith(".md"))
            .filter(file -> !root.relativize(file).equals(QUOTED))
            .forEach(pages::add);
      }
    }
    assertThat(pages).hasSizeGreaterThan(20);
    return pages;
  }

  /** The checks above must see what they look for, and nothing else. */
  @ParameterizedTest
  @CsvSource({
    "is told what to do, true",
    "a process of its own, true",
    "a savepoint behind a write, true",
    "two servers behind the sharding proxy, false",
    "there is none, false",
    "0 is none, true",
    "the standard, false"
  })
  void knowsTheDialect(String text, boolean found) {
    assertThat(DIALECT.matcher(text).find()).isEqualTo(found);
  }
}
