package io.shardmark.driver.compare.html;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonInclude.Value;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.shardmark.config.ConfigException;
import io.shardmark.driver.compare.CompareArgument;
import io.shardmark.driver.compare.Comparison;
import io.shardmark.driver.compare.Comparison.Choices;
import io.shardmark.driver.compare.History;
import io.shardmark.driver.compare.PublishedTable;
import io.shardmark.driver.guarantees.Guarantees;
import io.shardmark.driver.report.Markdown;
import io.shardmark.driver.report.Page;
import io.shardmark.driver.report.PageHtml;
import io.shardmark.driver.report.TextTable;
import io.shardmark.driver.results.Latency;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Writes comparisons and histories: a page, and the files next to it with the same name. Either all
 * of these files are there in the end or what was there before.
 */
public final class ComparisonFiles {
  private static final FileFormat COMPARISON = new FileFormat("comparison");
  private static final FileFormat HISTORY = new FileFormat("history");
  private static final int VERSION = 1;
  private static final String SUFFIX = ".html";
  private static final int HEAD_BYTES = 4096;
  private static final ObjectMapper MAPPER = mapper();

  private ComparisonFiles() {}

  /** What is written, and the marks by which its files are recognized. */
  private record FileFormat(String name) {
    String generator() {
      return "Shardmark " + name;
    }

    String schema() {
      return "shardmark-" + name;
    }

    String markOfMarkdown() {
      return "<!-- " + generator() + " -->";
    }

    boolean isMarked(Path file) throws IOException {
      try (InputStream in = Files.newInputStream(file)) {
        String head = new String(in.readNBytes(HEAD_BYTES), StandardCharsets.UTF_8);
        return Stream.of(
                "<meta name=\"generator\" content=\"" + generator() + "\">",
                markOfMarkdown(),
                "\"schema\" : \"" + schema() + "\"")
            .anyMatch(head::contains);
      }
    }

    /**
     * The files that are written. One that this program wrote may be replaced; a page, a note or a
     * data set of someone else may not.
     *
     * @throws ConfigException if the name does not do, or another file is in the way
     */
    List<Path> files(Path html, String... suffixes) throws IOException {
      String name = String.valueOf(html.getFileName());
      if (!name.endsWith(SUFFIX) || name.equals(SUFFIX)) {
        throw new ConfigException("--output " + html + ": expected a name that ends in .html");
      }
      Path parent = html.toAbsolutePath().getParent();
      if (parent == null || !Files.isDirectory(parent)) {
        throw new ConfigException("--output " + html + ": its directory does not exist");
      }
      String stem = name.substring(0, name.length() - SUFFIX.length());
      List<Path> files = Stream.of(suffixes).map(end -> html.resolveSibling(stem + end)).toList();
      for (Path file : files) {
        if (Files.exists(file) && !(Files.isRegularFile(file) && isMarked(file))) {
          throw new ConfigException(
              "%s: is there and is no %s; expected another --output or no such file"
                  .formatted(file, this.name));
        }
      }
      return files;
    }
  }

  private static ObjectMapper mapper() {
    ObjectMapper mapper =
        JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .disable(MapperFeature.AUTO_DETECT_IS_GETTERS)
            .defaultPropertyInclusion(Value.construct(Include.NON_NULL, Include.NON_NULL))
            .addMixIn(Latency.class, OfSeveralRuns.class)
            .build();
    mapper
        .configOverride(double.class)
        .setInclude(Value.construct(Include.CUSTOM, null, Unknown.class, null));
    return mapper;
  }

  /** What is not known is not there: JSON has no NaN. */
  @SuppressWarnings({"EqualsHashCode", "overrides"}) // Jackson asks a filter by equals
  private static final class Unknown {
    @Override
    public boolean equals(Object value) {
      return value instanceof Double number && !Double.isFinite(number);
    }
  }

  /** Figures that histograms which were added up do not have. */
  @JsonIgnoreProperties({"min", "clamped", "undone", "lowerBoundFrom"})
  private interface OfSeveralRuns {}

  /** docs/compare.md describes it. Members may be added; a change of meaning raises the version. */
  private record ComparisonDocument(
      String schema, int schemaVersion, @JsonUnwrapped Comparison comparison) {}

  private record HistoryDocument(String schema, int schemaVersion, History history) {}

  /**
   * Reads, compares and writes.
   *
   * @param html where the page goes. Comparisons of these names are replaced, any other file is
   *     left alone
   * @param out receives the figures of each point, as lines of a table
   * @throws ConfigException if something named cannot be used
   */
  public static Written write(
      List<CompareArgument> arguments, Path html, Choices choices, Consumer<String> out)
      throws IOException {
    List<Path> files = COMPARISON.files(html, SUFFIX, ".md", ".json");
    Comparison comparison = Comparison.read(arguments, choices);
    Page page = new ComparisonPage(comparison).build();
    if (comparison.tables().isEmpty()) {
      TextTable.lines(new ComparisonTables(comparison).byPoint()).forEach(out);
    }
    for (PublishedTable table : comparison.tables()) {
      out.accept(table.title());
      TextTable.lines(new PublishedSection(table, 0).table()).forEach(out);
      table.notes().forEach(out);
      out.accept("");
    }
    if (!comparison.tables().isEmpty()) {
      comparison.resultsOfTables().forEach(out);
    }
    write(
        files,
        PageHtml.of(page, COMPARISON.generator()),
        Markdown.of(page, COMPARISON.markOfMarkdown()),
        json(comparison));
    comparison.unequalGuarantees().forEach(sentence -> out.accept("Not equal: " + sentence + "."));
    return new Written(files, comparison.guarantees());
  }

  /**
   * @param guarantees whether all systems promise their transactions as much
   */
  public record Written(List<Path> files, Guarantees.Equality guarantees) {}

  static String json(Comparison comparison) throws IOException {
    return MAPPER.writeValueAsString(
            new ComparisonDocument(COMPARISON.schema(), VERSION, comparison))
        + "\n";
  }

  static String markdown(Comparison comparison) {
    return Markdown.of(new ComparisonPage(comparison).build(), COMPARISON.markOfMarkdown());
  }

  /**
   * The same for the runs of a repeated job.
   *
   * @param title empty for the systems' names
   * @param out receives a line on the latest run of each series
   */
  public static WrittenHistory writeHistory(
      List<CompareArgument> arguments, Path html, Optional<String> title, Consumer<String> out)
      throws IOException {
    List<Path> files = HISTORY.files(html, SUFFIX, ".json");
    History history = History.read(arguments, title);
    HistoryPage page = new HistoryPage(history);
    history.series().forEach(one -> out.accept(one.name() + ": " + page.sentence(one)));
    write(
        files,
        PageHtml.of(page.build(), HISTORY.generator()),
        MAPPER.writeValueAsString(new HistoryDocument(HISTORY.schema(), VERSION, history)));
    return new WrittenHistory(files, history.series().stream().anyMatch(page::isWorse));
  }

  /**
   * @param isWorse whether the latest run of a series left a band to the worse side
   */
  public record WrittenHistory(List<Path> files, boolean isWorse) {}

  private static void write(List<Path> files, byte[] page, String... texts) throws IOException {
    Map<Path, byte[]> contents = new LinkedHashMap<>();
    contents.put(files.get(0), page);
    for (String text : texts) {
      contents.put(files.get(contents.size()), text.getBytes(StandardCharsets.UTF_8));
    }
    PageHtml.replace(contents);
  }
}
