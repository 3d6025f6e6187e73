package io.shardmark.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.driver.command.Shardmark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** README.md and the pages name only files that exist, headings that exist, and every verb. */
final class DocumentationTest {
  private static final Pattern LINK = Pattern.compile("\\[[^\\]\\n]*\\]\\(([^)\\s]+)\\)");
  private static final Pattern ANCHOR_NOISE = Pattern.compile("[^\\p{L}\\p{N} _-]");

  /** A path of this project as a command names it; files that a user makes have other names. */
  private static final Pattern FILE_IN_COMMAND =
      Pattern.compile(
          "(?<![\\w./-])(\\./mvnw|(?:config|docs|driver/run|sql|results|src)/[\\w./-]+)(?![\\w*])");

  private static final Path ROOT = root();

  private static Path root() {
    for (Path path = Path.of("").toAbsolutePath(); path != null; path = path.getParent()) {
      if (Files.exists(path.resolve("mvnw"))) {
        return path;
      }
    }
    throw new IllegalStateException("no mvnw above " + Path.of("").toAbsolutePath());
  }

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    for (String page : List.of("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")) {
      pages.add(ROOT.resolve(page));
    }
    for (String folder : List.of("docs", "results")) {
      Path directory = ROOT.resolve(folder);
      if (Files.isDirectory(directory)) {
        try (Stream<Path> files = Files.walk(directory)) {
          files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
      }
    }
    return pages;
  }

  @Test
  void relativeLinksLeadSomewhere() throws IOException {
    List<String> broken = new ArrayList<>();
    int links = 0;
    for (Path page : pages()) {
      Matcher matcher = LINK.matcher(withoutFences(Files.readString(page)));
      while (matcher.find()) {
        String target = matcher.group(1);
        if (!target.startsWith("https://") && !target.startsWith("http://")) {
          links++;
          if (!leadsSomewhere(page, target)) {
            broken.add(ROOT.relativize(page) + ": " + target);
          }
        }
      }
    }
    assertThat(links).as("relative links found").isGreaterThan(5);
    assertThat(broken).as("links to files or headings that do not exist").isEmpty();
  }

  private static boolean leadsSomewhere(Path page, String target) throws IOException {
    int hash = target.indexOf('#');
    String file = hash < 0 ? target : target.substring(0, hash);
    Path path = file.isEmpty() ? page : page.resolveSibling(file).normalize();
    if (!path.startsWith(ROOT) || !Files.exists(path)) {
      return false;
    }
    return hash < 0 || anchors(path).contains(target.substring(hash + 1));
  }

  /** The anchors that GitHub and most viewers make of headings. */
  private static List<String> anchors(Path page) throws IOException {
    return withoutFences(Files.readString(page))
        .lines()
        .filter(line -> line.startsWith("#"))
        .map(line -> line.replaceFirst("^#+\\s*", "").strip().toLowerCase(Locale.ROOT))
        .map(heading -> ANCHOR_NOISE.matcher(heading).replaceAll("").replace(' ', '-'))
        .toList();
  }

  private static String withoutFences(String text) {
    return text.replaceAll("(?ms)^```.*?^```", "");
  }

  @Test
  void commandsNameFilesThatExist() throws IOException {
    List<String> missing = new ArrayList<>();
    int files = 0;
    for (Path page : pages()) {
      for (String block : fences(Files.readString(page))) {
        Matcher matcher = FILE_IN_COMMAND.matcher(block);
        while (matcher.find()) {
          files++;
          if (!Files.exists(ROOT.resolve(matcher.group(1)))) {
            missing.add(ROOT.relativize(page) + ": " + matcher.group(1));
          }
        }
      }
    }
    assertThat(files).as("files named in commands").isPositive();
    assertThat(missing).as("files in commands that do not exist").isEmpty();
  }

  private static List<String> fences(String text) {
    Matcher matcher = Pattern.compile("(?ms)^```\\w*$(.*?)^```").matcher(text);
    List<String> blocks = new ArrayList<>();
    while (matcher.find()) {
      blocks.add(matcher.group(1));
    }
    return blocks;
  }

  @Test
  void runningShowsEveryVerb() throws IOException {
    String page = String.join("\n", fences(Files.readString(ROOT.resolve("docs/running.md"))));
    Set<String> verbs = new TreeSet<>(Shardmark.commandLine().getSubcommands().keySet());
    assertThat(verbs).contains("run", "build", "verify");
    verbs.removeAll(List.of("compare", "sweep")); // in a page of that name each
    assertThat(verbs)
        .as("verbs with a command in docs/running.md")
        .allMatch(verb -> page.contains("driver.jar " + verb + " "));
  }

  /** Who sees the project for the first time reads it in two minutes. */
  @Test
  void readmeIsShort() throws IOException {
    assertThat(Files.readString(ROOT.resolve("README.md")).split("\\s+")).hasSizeLessThan(900);
  }

  /** The index by task leads to every page. */
  @Test
  void indexNamesEveryPage() throws IOException {
    String index = Files.readString(ROOT.resolve("docs/README.md"));
    try (Stream<Path> files = Files.list(ROOT.resolve("docs"))) {
      assertThat(files.map(file -> String.valueOf(file.getFileName())))
          .filteredOn(name -> name.endsWith(".md") && !name.equals("README.md"))
          .hasSizeGreaterThan(20)
          .allMatch(name -> index.contains("(" + name));
    }
  }
}
