package io.shardmark.driver.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the template shows. The names of the components are those in {@code page.mustache}; texts
 * are not escaped yet, empty ones are not shown.
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
    List<Curve> curves,
    List<PageVerdict> verdicts,
    List<String> warnings,
    List<Section> sections,
    String footer) {
  /** More do not fit into a row on a desk. */
  static final int MOST_LINKS = 8;

  public Page {
    sections = sections.stream().filter(section -> !section.blocks().isEmpty()).toList();
  }

  /** Links to the first open sections, and one to the first of the others near their end. */
  public List<Section> navigation() {
    if (sections.size() <= MOST_LINKS) {
      return sections;
    }
    List<Section> open =
        sections.stream().filter(one -> !one.folded()).limit(MOST_LINKS - 1).toList();
    int near = open.size() < 2 ? 0 : sections.indexOf(open.get(open.size() - 2));
    Optional<Section> more =
        sections.stream().skip(near).filter(one -> !open.contains(one)).findFirst();
    List<Section> links = new ArrayList<>();
    for (Section section : sections) {
      if (open.contains(section)) {
        links.add(section);
      } else if (more.filter(section::equals).isPresent()) {
        links.add(new Section(section.id(), "More", "", section.blocks()));
      }
    }
    return links;
  }

  /** Whether there is any of them; the page's template asks. */
  public boolean hasCurves() {
    return !curves.isEmpty();
  }

  /** How a verdict is shown; its name is a class of the style sheet. */
  public enum PageGrade {
    /** What came out: neither good nor bad. */
    RESULT,
    PASS,
    WARN,
    FAIL,
    UNKNOWN
  }

  public record PageFigure(boolean main, String name, String value, String unit, String note) {
    public static PageFigure of(String name, String value, String unit, String note) {
      return new PageFigure(false, name, value, unit, note);
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

  /** What sections consist of. The template asks which kind it is. */
  public sealed interface Block permits Table, Chart, PageNote, Items, Verbatim {
    /** Whether there is nothing to show of it. */
    boolean isEmpty();

    default boolean isTable() {
      return this instanceof Table;
    }

    default boolean isChart() {
      return this instanceof Chart;
    }

    default boolean isParagraph() {
      return this instanceof PageNote;
    }

    default boolean isList() {
      return this instanceof Items;
    }

    default boolean isVerbatim() {
      return this instanceof Verbatim;
    }
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
   * @param json its data, safe inside of a script element; empty if nothing would be drawn
   */
  public record Chart(String id, String title, String size, String note, String json)
      implements Block {
    @Override
    public boolean isEmpty() {
      return json.isEmpty();
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
    /** A bar for each cell. */
    METER
  }

  public record PageColumn(String name, Align align) {}

  /** One row; its style is a class of the style sheet, or empty. */
  public record PageRow(String style, List<PageCell> cells) {}

  /**
   * One cell.
   *
   * @param grade what its text says; null if it judges nothing
   * @param meter of a bar, its length in percent; empty without one
   */
  public record PageCell(
      String column, String text, Align align, @Nullable PageGrade grade, String meter) {}
}
