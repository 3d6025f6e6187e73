package io.shardmark.driver.report;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the template shows. The names of the components are those in {@code page.mustache}; texts
 * are not escaped yet, empty ones are not shown.
 *
 * @param title of the window
 * @param kicker the line above the heading
 * @param heading what was run
 * @param subtitle when and how long
 * @param figures the large figures
 * @param curves small lines over time
 * @param verdicts whether it was valid
 * @param warnings what a reader must know before the figures are used
 * @param sections in order
 * @param footer last line
 */
public record Page(
    String title,
    String kicker,
    String heading,
    String subtitle,
    List<Figure> figures,
    List<Curve> curves,
    List<Verdict> verdicts,
    List<String> warnings,
    List<Section> sections,
    String footer) {

  /** Whether there is any of them; the page's template asks. */
  public boolean hasCurves() {
    return !curves.isEmpty();
  }

  /** How a verdict is shown; the names in lower case are classes of the style sheet. */
  public enum Grade {
    /** What came out: neither good nor bad. */
    RESULT,
    PASS,
    WARN,
    FAIL,
    UNKNOWN;

    public String style() {
      return switch (this) {
        case RESULT -> "result";
        case PASS -> "pass";
        case WARN -> "warn";
        case FAIL -> "fail";
        case UNKNOWN -> "unknown";
      };
    }
  }

  /** A large figure at the top. */
  public record Figure(boolean main, String name, String value, String unit, String note) {
    public static Figure main(String name, String value, String note) {
      return new Figure(true, name, value, "", note);
    }

    public static Figure of(String name, String value, String unit, String note) {
      return new Figure(false, name, value, unit, note);
    }
  }

  /** A line of the head: passed, failed or not known. */
  public record Verdict(String grade, String subject, String text) {
    public static Verdict of(Grade grade, String subject, String text) {
      return new Verdict(grade.style(), subject, text);
    }
  }

  /**
   * A part of the page; its id is the anchor.
   *
   * @param folded whether a reader has to open it: what few look for
   */
  public record Section(String id, String title, String intro, List<Block> blocks, boolean folded) {
    /** One that is open. */
    public Section(String id, String title, String intro, List<Block> blocks) {
      this(id, title, intro, blocks, false);
    }

    /** The same, for those who look for it. */
    public Section fold() {
      return new Section(id, title, intro, blocks, true);
    }
  }

  /** One of its components is there. */
  public record Block(
      @Nullable Table table,
      @Nullable Chart chart,
      String note,
      @Nullable Items list,
      @Nullable Verbatim verbatim) {
    public static Block of(Table table) {
      return new Block(table, null, "", null, null);
    }

    public static Block of(Chart chart) {
      return new Block(null, chart, "", null, null);
    }

    public static Block note(String note) {
      return new Block(null, null, note, null, null);
    }

    public static Block list(List<String> items) {
      return new Block(null, null, "", new Items(items), null);
    }

    public static Block verbatim(String caption, String text) {
      return new Block(null, null, "", null, new Verbatim(caption, text));
    }
  }

  /** An unordered list. */
  public record Items(List<String> items) {}

  /** Text as it stands. */
  public record Verbatim(String caption, String text) {}

  /**
   * A chart.
   *
   * @param size class of the style sheet: empty, {@code half} or {@code low}; the last two are half
   *     as wide on a desk
   * @param json its data, safe inside of a script element
   */
  public record Chart(String id, String title, String size, String note, String json) {}

  /** A table; TableBuilder makes it. */
  public record Table(String caption, List<Column> columns, List<Row> rows) {
    private static final int MOST_SIDE_BY_SIDE = 3;

    /** Whether a phone shows its rows one below the other. */
    public boolean wide() {
      return columns.size() > MOST_SIDE_BY_SIDE;
    }
  }

  /** One column; the alignment is a class of the style sheet. */
  public record Column(String name, String align) {}

  /**
   * One row.
   *
   * @param style class of the style sheet; may be empty
   */
  public record Row(String style, List<Cell> cells) {}

  /**
   * One cell.
   *
   * @param column name of its column
   * @param grade may be empty
   * @param meter of a bar, its length in percent; empty without one
   */
  public record Cell(String column, String text, String align, String grade, String meter) {}
}
