package io.shardmark.driver.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a page shows. {@code page.js} draws it from its JSON, whose members have the names of the
 * components; empty texts are not shown.
 *
 * @param kicker the line above the heading
 * @param warnings what a reader must know before the figures are used
 * @param sections in order; those without blocks are left out
 */
public record Page(
    String title,
    String kicker,
    String heading,
    String subtitle,
    List<PageFigure> figures,
    List<PageCurve> curves,
    List<PageVerdict> verdicts,
    List<String> warnings,
    List<Section> sections,
    String footer) {
  public Page {
    sections = sections.stream().filter(section -> !section.blocks().isEmpty()).toList();
  }

  /** How a verdict is shown; its name is a class of the style sheet. */
  public enum PageGrade {
    /** What came out: neither good nor bad. */
    RESULT,
    PASS,
    WARN,
    FAIL,
    UNKNOWN;

    @JsonValue
    String styleClass() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** The verdict of this grade. */
    public PageVerdict on(String subject, String text) {
      return new PageVerdict(this, subject, text);
    }
  }

  /**
   * A small line over time, for the first screen.
   *
   * @param range smallest and largest value in words
   * @param values of equal lengths of time, from 0; NaN where there is none
   */
  public record PageCurve(String title, String range, List<Double> values) {}

  public record PageFigure(boolean main, String name, String value, String unit, String note) {
    public static PageFigure of(String name, String value, String unit, String note) {
      return new PageFigure(false, name, value, unit, note);
    }

    /**
     * @param text a number, with its unit in words if it has one: {@code 12 a second}
     */
    public static PageFigure of(String name, String text, String note) {
      int end = (text + " ").indexOf(' ');
      return of(name, text.substring(0, end), text.substring(end).strip(), note);
    }
  }

  /** A line of the head: passed, failed or not known. */
  public record PageVerdict(PageGrade grade, String subject, String text) {}

  /**
   * A part of the page; its id is the anchor. Blocks without content are left out of it.
   *
   * @param folded whether a reader has to open it: what few look for
   */
  public record Section(String id, String title, String intro, List<Block> blocks, boolean folded) {
    /** One that is left out. */
    public static final Section NONE = new Section("", "", "", List.of());

    public Section {
      blocks = blocks.stream().filter(block -> !block.isEmpty()).toList();
    }

    /** One that is open. */
    public Section(String id, String title, String intro, List<Block> blocks) {
      this(id, title, intro, blocks, false);
    }
  }

  /** What sections consist of; its JSON names the kind. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "block")
  public sealed interface Block permits Table, Chart, PageNote, Items, Verbatim {
    /** Whether there is nothing to show of it. */
    boolean isEmpty();
  }

  public record PageNote(String text) implements Block {
    @Override
    public boolean isEmpty() {
      return text.isEmpty();
    }
  }

  public record Items(List<String> items) implements Block {
    @Override
    public boolean isEmpty() {
      return items.isEmpty();
    }
  }

  public record Verbatim(String caption, String text) implements Block {
    @Override
    public boolean isEmpty() {
      return text.isEmpty();
    }
  }

  /**
   * A chart.
   *
   * @param size class of the style sheet: empty, {@code half} or {@code low}; the last two are half
   *     as wide on a desk
   * @param spec its data, as {@link ChartData} builds it; empty if nothing would be drawn
   */
  public record Chart(String id, String title, String size, String note, Map<String, Object> spec)
      implements Block {
    @Override
    public boolean isEmpty() {
      return spec.isEmpty();
    }
  }

  public record Table(String caption, List<PageColumn> columns, List<PageRow> rows, OnPhone onPhone)
      implements Block {
    private static final int MOST_SIDE_BY_SIDE = 3;

    @Override
    public boolean isEmpty() {
      return rows.isEmpty();
    }

    /** Whether a phone shows its rows one below the other. */
    @JsonProperty
    public boolean wide() {
      return onPhone == OnPhone.STACKED && columns.size() > MOST_SIDE_BY_SIDE;
    }
  }

  /** What a phone does with a table of many columns. */
  public enum OnPhone {
    /** Rows one below the other, each cell with its column's name. */
    STACKED,
    /**
     * A table that scrolls, with its first column in place: what is compared stays side by side.
     */
    SCROLLED
  }

  /** How the cells of a column are aligned; its name is a class of the style sheet. */
  public enum Align {
    TEXT,
    NUMBER,
    /** Cells that may be long. */
    PROSE,
    /** A bar for each cell, whose text is its length in percent. */
    METER;

    @JsonValue
    String styleClass() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public record PageColumn(String name, Align align) {}

  /** One row; its style is a class of the style sheet, or empty. */
  public record PageRow(String style, List<PageCell> cells) {}

  /**
   * One cell.
   *
   * @param grade what its text says; null if it judges nothing
   */
  public record PageCell(String text, @Nullable PageGrade grade) {
    /** The text, or both: most cells judge nothing. */
    @JsonValue
    Object asJson() {
      return grade == null ? text : List.of(text, grade);
    }
  }
}
