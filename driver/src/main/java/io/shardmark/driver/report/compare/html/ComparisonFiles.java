package io.shardmark.driver.report.compare.html;

import io.shardmark.config.ConfigException;
import io.shardmark.driver.report.compare.CompareArgument;
import io.shardmark.driver.report.compare.Comparison;
import io.shardmark.driver.report.compare.Comparison.Choices;
import io.shardmark.driver.report.compare.ComparisonJson;
import io.shardmark.driver.report.compare.ComparisonMarkdown;
import io.shardmark.driver.report.html.PageFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;

/** Writes a comparison as page, Markdown and JSON: three files of one name. */
public final class ComparisonFiles {
  private static final String GENERATOR = "Shardmark comparison";
  private static final String SUFFIX = ".html";
  private static final int HEAD_BYTES = 4096;

  private ComparisonFiles() {}

  /**
   * Reads, compares and writes. Either all three files are there in the end or what was there
   * before.
   *
   * @param arguments what is compared; the first is the baseline
   * @param html where the page goes; the other two files stand beside it. Comparisons of these
   *     names are replaced, any other file is left alone
   * @param title empty for the systems' names
   * @return page, Markdown and JSON
   * @throws ConfigException if something named cannot be used
   */
  public static List<Path> write(List<CompareArgument> arguments, Path html, Optional<String> title)
      throws IOException {
    return write(arguments, html, new Choices(title, Optional.empty()));
  }

  /** The same with all that can be chosen. */
  public static List<Path> write(List<CompareArgument> arguments, Path html, Choices choices)
      throws IOException {
    List<Path> files = files(html);
    for (Path file : files) {
      checkReplaceable(file);
    }
    Comparison comparison = Comparison.read(arguments, choices);
    List<Path> temporaries =
        files.stream().map(file -> file.resolveSibling(file.getFileName() + ".new")).toList();
    try {
      PageFile.write(new ComparisonPage(comparison).build(), GENERATOR, temporaries.get(0));
      Files.writeString(temporaries.get(1), ComparisonMarkdown.of(comparison));
      Files.writeString(temporaries.get(2), ComparisonJson.of(comparison));
      for (int i = 0; i < files.size(); i++) {
        Files.move(temporaries.get(i), files.get(i), StandardCopyOption.REPLACE_EXISTING);
      }
    } finally {
      for (Path temporary : temporaries) {
        Files.deleteIfExists(temporary);
      }
    }
    return files;
  }

  private static List<Path> files(Path html) {
    String name = String.valueOf(html.getFileName());
    if (!name.endsWith(SUFFIX) || name.equals(SUFFIX)) {
      throw new ConfigException("--output " + html + ": expected a name that ends in .html");
    }
    Path parent = html.toAbsolutePath().getParent();
    if (parent == null || !Files.isDirectory(parent)) {
      throw new ConfigException("--output " + html + ": its directory does not exist");
    }
    String stem = name.substring(0, name.length() - SUFFIX.length());
    return List.of(html, html.resolveSibling(stem + ".md"), html.resolveSibling(stem + ".json"));
  }

  /** A comparison is ours to replace; a page, a note or a data set of someone else is not. */
  private static void checkReplaceable(Path file) throws IOException {
    if (!Files.exists(file)) {
      return;
    }
    if (!Files.isRegularFile(file) || !isComparison(file)) {
      throw new ConfigException(
          file + ": is there and is no comparison; expected another --output or no such file");
    }
  }

  private static boolean isComparison(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      String head = new String(in.readNBytes(HEAD_BYTES), StandardCharsets.UTF_8);
      return head.contains("<meta name=\"generator\" content=\"" + GENERATOR + "\">")
          || head.startsWith(ComparisonMarkdown.MARK)
          || head.contains("\"schema\" : \"" + ComparisonJson.SCHEMA + "\"");
    }
  }
}
