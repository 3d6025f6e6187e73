package io.shardmark.driver.report.compare;

import java.util.List;
import java.util.stream.Collectors;

/** The comparison as Markdown, with GitHub's tables. */
public final class ComparisonMarkdown {
  /** The first line tells whose file it is. */
  public static final String MARK = "<!-- Shardmark comparison -->";

  private final Comparison comparison;
  private final ComparisonTables tables;
  private final ComparisonTexts texts;
  private final StringBuilder out = new StringBuilder(MARK).append('\n');

  private ComparisonMarkdown(Comparison comparison) {
    this.comparison = comparison;
    tables = new ComparisonTables(comparison);
    texts = new ComparisonTexts(comparison);
  }

  /** The whole text. */
  public static String of(Comparison comparison) {
    return new ComparisonMarkdown(comparison).build();
  }

  private String build() {
    line("# " + escaped(comparison.title()));
    line(escaped(texts.extent()) + ".");
    texts.publications().forEach(text -> line(escaped(text)));
    texts.headlines().forEach(one -> line("**" + escaped(one.sentence()) + "**"));
    flags();
    line("## Concurrent users, " + String.join(", ", comparison.yardstick().names()));
    line(escaped(texts.throughputNote()));
    tables.throughput().forEach(this::table);
    if (comparison.systems().size() > 1) {
      line("## Ratios");
      texts.methods().forEach(text -> line(escaped(text)));
      if (comparison.overall().stream().anyMatch(overall -> overall.points() > 1)) {
        table(tables.overall());
      }
      table(tables.ratios());
    }
    line("## Response times");
    line("From when a transaction was due to its last byte, of successful transactions.");
    comparison.yardstick().tabled().forEach(type -> table(tables.latencies(type)));
    if (!tables.observed().rows().isEmpty()) {
      line("## Operating system and database");
      line("Means over the runs of a system.");
      table(tables.bottlenecks());
      table(tables.observed());
    }
    line("## Runs");
    table(tables.runs());
    line("## Settings");
    table(tables.conditions());
    if (!comparison.differences().isEmpty()) {
      line("Settings that differ:");
      table(tables.differences());
    }
    list("## Not in this comparison", comparison.missing());
    return out.toString();
  }

  private void flags() {
    if (!comparison.flags().isEmpty()) {
      line("## Unlike or doubtful");
      comparison
          .flags()
          .forEach(
              flag ->
                  out.append("- **")
                      .append(escaped(flag.subject()))
                      .append(":** ")
                      .append(escaped(flag.sentence()))
                      .append('\n'));
    }
    texts.soundRuns().ifPresent(sentence -> line(escaped(sentence)));
    if (!comparison.alike().isEmpty()) {
      line("Alike: " + escaped(String.join(", ", comparison.alike())) + ".");
    }
    comparison.notes().forEach(note -> line(escaped(note)));
  }

  private void list(String heading, List<String> items) {
    if (!items.isEmpty()) {
      line(heading);
      items.forEach(item -> out.append("- ").append(escaped(item)).append('\n'));
    }
  }

  private void line(String text) {
    out.append('\n').append(text).append('\n');
  }

  private void table(TextTable table) {
    if (table.rows().isEmpty()) {
      return;
    }
    if (!table.caption().isEmpty()) {
      line("### " + escaped(table.caption()));
    }
    out.append('\n');
    row(table.columns().stream().map(TextTable.Column::name).toList());
    out.append(
        table.columns().stream()
            .map(column -> column.kind() == TextTable.Kind.NUMBER ? "---:" : "---")
            .collect(Collectors.joining("|", "|", "|\n")));
    table.rows().forEach(this::row);
  }

  private void row(List<String> cells) {
    out.append(
        cells.stream()
            .map(ComparisonMarkdown::escaped)
            .collect(Collectors.joining(" | ", "| ", " |\n")));
  }

  /** Values from files must neither end a cell nor become markup. */
  private static String escaped(String text) {
    StringBuilder escaped = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\n', '\r' -> escaped.append(' ');
        case '<' -> escaped.append("&lt;");
        case '&' -> escaped.append("&amp;");
        case '|', '*', '_', '`', '[', ']', '\\' -> escaped.append('\\').append(c);
        default -> escaped.append(c);
      }
    }
    return escaped.toString();
  }
}
