package io.shardmark.driver.report.compare.html;

import io.shardmark.config.ConfigException;
import io.shardmark.driver.report.compare.CompareArgument;
import io.shardmark.driver.report.compare.Comparison;
import io.shardmark.driver.report.compare.Comparison.Choices;
import io.shardmark.driver.report.compare.ComparisonJson;
import io.shardmark.driver.report.compare.ComparisonMarkdown;
import io.shardmark.driver.report.html.PageFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Writes a comparison as page, Markdown and JSON: three files of one name. */
public final class ComparisonFiles {
  private static final String GENERATOR = "Shardmark comparison";

  private static final List<String> MARKS =
      List.of(
          PageSet.markOfPage(GENERATOR),
          ComparisonMarkdown.MARK,
          "\"schema\" : \"" + ComparisonJson.SCHEMA + "\"");

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
    PageSet files = new PageSet("comparison", html, List.of(".html", ".md", ".json"), MARKS);
    Comparison comparison = Comparison.read(arguments, choices);
    return files.write(
        List.of(
            file -> PageFile.write(new ComparisonPage(comparison).build(), GENERATOR, file),
            file -> Files.writeString(file, ComparisonMarkdown.of(comparison)),
            file -> Files.writeString(file, ComparisonJson.of(comparison))));
  }
}
