package io.shardmark.driver.compare.html;

import io.shardmark.driver.compare.PublishedTable;
import io.shardmark.driver.compare.PublishedTable.Derived;
import io.shardmark.driver.compare.PublishedTable.PublishedColumn;
import io.shardmark.driver.report.ChartData;
import io.shardmark.driver.report.Columns;
import io.shardmark.driver.report.Page;
import io.shardmark.driver.report.Page.Block;
import io.shardmark.driver.report.Page.Chart;
import io.shardmark.driver.report.Page.Section;
import io.shardmark.driver.report.Page.Table;
import io.shardmark.driver.results.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;

/** A table of a source with own figures in it, drawn absolute and as multiples of its baseline. */
final class PublishedSection {
  private static final String HERE = "here";
  private static final String MOST = "most at";

  private final PublishedTable table;
  private final String id;

  PublishedSection(PublishedTable table, int number) {
    this.table = table;
    id = "published-" + number;
  }

  Section section() {
    List<Block> blocks = new ArrayList<>(List.of(table(), absolute()));
    if (!table.ratios().isEmpty()) {
      blocks.add(chart("-ratio", "Ratios", "ratio", lines(table.ratios())));
    }
    table.findings().forEach(finding -> blocks.add(new Page.PageNote(finding)));
    table.notes().forEach(note -> blocks.add(new Page.PageNote(note)));
    return new Section(
        id, table.title(), "Published: %s; here: own runs.".formatted(publisher()), blocks);
  }

  private String publisher() {
    return table.source().title() + ", " + table.source().publisher();
  }

  /** The source's columns, each with the own figures after it, then the ratios of both. */
  Table table() {
    Columns<Integer> columns =
        new Columns<Integer>()
            .scrolled()
            .text(table.axis(), row -> row < table.rows().size() ? table.rows().get(row) : MOST);
    for (PublishedColumn column : table.columns()) {
      add(columns, new Derived(column.name(), column.published(), column.own()), this::cell);
    }
    table.ratios().forEach(ratio -> add(columns, ratio, this::ratio));
    List<Integer> rows = new ArrayList<>(table.rowsWithFigures());
    if (rows.size() > 2 && !table.over().isEmpty()) {
      rows.add(table.rows().size());
    }
    return columns.knownOnly("", rows);
  }

  /** A column for what was published, if anything was, and one for what came out here. */
  private static void add(
      Columns<Integer> columns, Derived figures, BiFunction<List<Double>, Integer, String> text) {
    boolean published = figures.published().stream().anyMatch(Double::isFinite);
    if (published) {
      columns.number(figures.name(), row -> text.apply(figures.published(), row));
    }
    columns.number(
        published ? HERE : figures.name() + " " + HERE, row -> text.apply(figures.own(), row));
  }

  /** A figure of a row; below them all the row of the greatest. */
  private String cell(List<Double> values, int row) {
    return row < values.size()
        ? Texts.three(values.get(row))
        : table.rowOfMost(values).orElse(Texts.NONE);
  }

  private String ratio(List<Double> values, int row) {
    return row < values.size() && Double.isFinite(values.get(row))
        ? Texts.text("%.2f", values.get(row))
        : row < values.size() ? Texts.NONE : cell(values, row);
  }

  private Chart absolute() {
    return chart(
        "-absolute",
        table.title(),
        table.columns().get(0).metric(),
        lines(
            table.columns().stream()
                .filter(one -> one.metric().equals(table.columns().get(0).metric()))
                .map(one -> new Derived(one.name(), one.published(), one.own()))
                .toList()));
  }

  /** Published and own values by what they are called. */
  private static Map<String, List<Double>> lines(List<Derived> all) {
    Map<String, List<Double>> lines = new TreeMap<>();
    for (Derived one : all) {
      lines.put(one.name() + " (published)", one.published());
      lines.put(one.name() + " " + HERE, one.own());
    }
    return lines;
  }

  private Chart chart(String suffix, String title, String unit, Map<String, List<Double>> lines) {
    ChartData chart = ChartData.lines(unit, table.axis(), table.rows());
    lines.forEach(
        (name, values) -> {
          if (values.stream().anyMatch(Double::isFinite)) {
            chart.line(
                name,
                name,
                new ChartData.ChartLine(values, List.of(), List.of(), List.of()),
                !name.endsWith(HERE));
          }
        });
    return chart.build(
        id + suffix, title, "half", "Dashed lines are published figures. Steps are evenly spaced.");
  }
}
