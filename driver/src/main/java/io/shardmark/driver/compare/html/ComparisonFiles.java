package io.shardmark.driver.compare.html;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonInclude.Value;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.shardmark.driver.compare.CompareArgument;
import io.shardmark.driver.compare.Comparison;
import io.shardmark.driver.compare.Comparison.Choices;
import io.shardmark.driver.compare.History;
import io.shardmark.driver.report.Markdown;
import io.shardmark.driver.report.Page;
import io.shardmark.driver.report.PageHtml;
import io.shardmark.driver.report.TextTable;
import io.shardmark.driver.results.Latency;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Writes comparisons and histories: a page and what stands beside it under the same name. Either
 * all of these files are there in the end or what was there before.
 */
public final class ComparisonFiles {
  private static final String MARKDOWN_MARK = "<!-- Shardmark comparison -->";
  private static final String PAGE_OF_COMPARISON = "Shardmark comparison";
  private static final String PAGE_OF_HISTORY = "Shardmark history";
  private static final String COMPARISON = "shardmark-comparison";
  private static final String HISTORY = "shardmark-history";
  private static final int VERSION = 1;
  private static final ObjectMapper MAPPER = mapper();

  private ComparisonFiles() {}

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
   * @param arguments what is compared
   * @param html where the page goes. Comparisons of these names are replaced, any other file is
   *     left alone
   * @param out receives the figures of each point, as lines of a table
   * @return page, Markdown and JSON
   * @throws io.shardmark.config.ConfigException if something named cannot be used
   */
  public static List<Path> write(
      List<CompareArgument> arguments, Path html, Choices choices, Consumer<String> out)
      throws IOException {
    PageSet files =
        new PageSet(
            "comparison",
            html,
            List.of(".html", ".md", ".json"),
            List.of(
                PageSet.markOfPage(PAGE_OF_COMPARISON),
                MARKDOWN_MARK,
                PageSet.markOfJson(COMPARISON)));
    Comparison comparison = Comparison.read(arguments, choices);
    Page page = new ComparisonPage(comparison).build();
    TextTable.lines(new ComparisonTables(comparison).byPoint()).forEach(out);
    return files.write(
        List.of(
            PageHtml.of(page, PAGE_OF_COMPARISON),
            Markdown.of(page, MARKDOWN_MARK),
            json(comparison)));
  }

  /** What programs read of a comparison. */
  static String json(Comparison comparison) throws IOException {
    return MAPPER.writeValueAsString(new ComparisonDocument(COMPARISON, VERSION, comparison))
        + "\n";
  }

  /** Its tables and sentences as Markdown. */
  static String markdown(Comparison comparison) {
    return Markdown.of(new ComparisonPage(comparison).build(), MARKDOWN_MARK);
  }

  /**
   * The same for the runs of a repeated job.
   *
   * @param title empty for the systems' names
   * @return page and JSON
   */
  public static List<Path> writeHistory(
      List<CompareArgument> arguments, Path html, Optional<String> title) throws IOException {
    PageSet files =
        new PageSet(
            "history",
            html,
            List.of(".html", ".json"),
            List.of(PageSet.markOfPage(PAGE_OF_HISTORY), PageSet.markOfJson(HISTORY)));
    History history = History.read(arguments, title);
    Page page = new HistoryPage(history).build();
    HistoryDocument document = new HistoryDocument(HISTORY, VERSION, history);
    return files.write(
        List.of(PageHtml.of(page, PAGE_OF_HISTORY), MAPPER.writeValueAsString(document)));
  }
}
