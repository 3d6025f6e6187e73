package io.shardmark.driver.report;

import io.shardmark.driver.report.Page.Align;
import io.shardmark.driver.report.Page.Block;
import io.shardmark.driver.report.Page.Items;
import io.shardmark.driver.report.Page.Section;
import io.shardmark.driver.report.Page.Table;
import java.util.List;
import java.util.stream.Collectors;

/** A page as Markdown with GitHub's tables: all of it but its charts and large figures. */
public final class Markdown {
  private final StringBuilder out = new StringBuilder();

  private Markdown() {}

  /** The whole text; its first line is a mark by which the file is recognized. */
  public static String of(Page page, String mark) {
    Markdown text = new Markdown();
    text.out.append(mark).append('\n');
    text.line("# " + escaped(page.heading()));
    text.line(escaped(page.subtitle()) + ".");
    page.warnings().forEach(warning -> text.line(escaped(warning)));
    text.out.append('\n');
    for (Page.PageVerdict verdict : page.verdicts()) {
      text.item("**" + escaped(verdict.subject()) + ":** " + escaped(verdict.text()));
    }
    page.sections().forEach(text::section);
    return text.out.toString();
  }

  private void section(Section section) {
    if (section.blocks().stream().allMatch(block -> block instanceof Page.Chart)) {
      return;
    }
    line("## " + escaped(section.title()));
    if (!section.intro().isEmpty()) {
      line(escaped(section.intro()));
    }
    section.blocks().forEach(this::block);
  }

  private void block(Block block) {
    if (block instanceof Page.PageNote note) {
      line(escaped(note.text()));
    } else if (block instanceof Items list) {
      out.append('\n');
      list.items().forEach(item -> item(escaped(item)));
    } else if (block instanceof Table table) {
      if (!table.caption().isEmpty()) {
        line("### " + escaped(table.caption()));
      }
      out.append('\n').append(table(table));
    }
  }

  private void line(String text) {
    out.append('\n').append(text).append('\n');
  }

  private void item(String text) {
    out.append("- ").append(text).append('\n');
  }

  /** A table without its caption. */
  public static String table(Table table) {
    return row(table.columns().stream().map(Page.PageColumn::name).toList())
        + table.columns().stream()
            .map(column -> column.align() == Align.NUMBER ? "---:" : "---")
            .collect(Collectors.joining("|", "|", "|\n"))
        + table.rows().stream()
            .map(row -> row(row.cells().stream().map(Page.PageCell::text).toList()))
            .collect(Collectors.joining());
  }

  private static String row(List<String> cells) {
    return cells.stream().map(Markdown::escaped).collect(Collectors.joining(" | ", "| ", " |\n"));
  }

  /** Values from files must neither end a cell nor become markup. */
  private static String escaped(String text) {
    return text.replaceAll("[\n\r]", " ")
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replaceAll("[|*_`\\[\\]\\\\]", "\\\\$0");
  }
}
