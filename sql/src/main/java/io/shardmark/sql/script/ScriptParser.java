package io.shardmark.sql.script;

import io.shardmark.config.ConfigException;
import io.shardmark.sql.script.ScriptPart.Comment;
import io.shardmark.sql.script.ScriptPart.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Splits a script into statements by BenchmarkSQL's rules, which look at lines and not at SQL:
 *
 * <ul>
 *   <li>Lines are trimmed, empty ones dropped; a line that begins with {@code --} is a comment.
 *   <li>A line that ends in {@code ;} ends the statement. Text after a {@code ;} on the same line
 *       is not split off. {@code \;} is a {@code ;} that ends nothing.
 *   <li>A line that is just {@code $$} begins a section that is kept unchanged, up to the next such
 *       line; the statement then goes on to its {@code ;}.
 *   <li>From a line that begins with <code>-- {</code> to one that begins with <code>-- }</code>
 *       all is one statement, both lines included.
 *   <li>What a line includes is there after it, with its number.
 * </ul>
 *
 * <p>Two faults of BenchmarkSQL are repaired: a last statement without {@code ;} and a block at the
 * very end of the file count; a section or block that never ends is an error.
 */
public final class ScriptParser {
  private enum ParserMode {
    LINES,
    DOLLAR_SECTION,
    BLOCK
  }

  private final Script script;
  private final List<ScriptPart> parts = new ArrayList<>();
  private final StringBuilder pending = new StringBuilder();
  private ParserMode mode = ParserMode.LINES;
  private int lineNumber;
  private int pendingLine;
  private int modeLine;

  private ScriptParser(Script script) {
    this.script = script;
  }

  /**
   * @throws ConfigException if a {@code $$} section or a block does not end; the message names the
   *     line it began on
   */
  public static List<ScriptPart> parse(Script script) {
    ScriptParser parser = new ScriptParser(script);
    script.text().lines().forEach(parser::line);
    return parser.finish();
  }

  private void line(String raw) {
    lineNumber++;
    switch (mode) {
      case LINES -> plainLine(raw, raw.trim());
      case DOLLAR_SECTION -> {
        append(raw);
        if (raw.trim().equals("$$")) {
          mode = ParserMode.LINES;
        }
      }
      case BLOCK -> {
        append(raw);
        if (raw.trim().startsWith("-- }")) {
          mode = ParserMode.LINES;
          endStatement();
        }
      }
    }
  }

  private void plainLine(String raw, String line) {
    if (line.isEmpty()) {
      return;
    }
    if (line.startsWith("-- {")) {
      enter(ParserMode.BLOCK);
      append(raw);
    } else if (line.startsWith("--")) {
      parts.add(new Comment(lineNumber, raw));
      include(script.included().get(line));
    } else if (line.equals("$$")) {
      enter(ParserMode.DOLLAR_SECTION);
      append(line);
    } else {
      boolean ends = line.endsWith(";") && !line.endsWith("\\;");
      String text = ends ? line.substring(0, line.length() - 1) : line;
      append(text.replace("\\;", ";"));
      if (ends) {
        endStatement();
      }
    }
  }

  private void include(@Nullable String text) {
    if (text != null) {
      parse(new Script(script.location(), text, script.included()))
          .forEach(part -> parts.add(part.at(lineNumber)));
    }
  }

  private void enter(ParserMode entered) {
    mode = entered;
    modeLine = lineNumber;
  }

  private void append(String text) {
    if (pending.isEmpty()) {
      pendingLine = lineNumber;
    } else {
      pending.append('\n');
    }
    pending.append(text);
  }

  private void endStatement() {
    String text = pending.toString().strip();
    pending.setLength(0);
    if (!text.isEmpty()) {
      parts.add(new Statement(pendingLine, text));
    }
  }

  private List<ScriptPart> finish() {
    switch (mode) {
      case LINES -> endStatement();
      case DOLLAR_SECTION ->
          throw unfinished("a $$ section that does not end, expected a line with just $$");
      case BLOCK ->
          throw unfinished("a \"-- {\" block that does not end, expected a line \"-- }\"");
    }
    return List.copyOf(parts);
  }

  private ConfigException unfinished(String what) {
    return new ConfigException(script.location() + " line " + modeLine + ": " + what);
  }
}
