package io.shardmark.driver.script;

import io.shardmark.config.ConfigException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a file into statements and commands. A statement ends at a semicolon or before a backslash;
 * a command ends with its line, or with the next one after a backslash at the end.
 */
final class ScriptLexer {
  private static final Pattern DOLLAR_QUOTE = Pattern.compile("\\$([\\p{L}_][\\p{L}\\d_]*)?\\$");
  private static final Pattern VARIABLE = Pattern.compile(":([\\p{L}_][\\p{L}\\d_]*)");
  private static final Pattern COMMAND =
      Pattern.compile("\\\\(\\S*)[ \\t]*((?:\\\\\\r?\\n|[^\\n])*)");

  private final String file;
  private final String text;
  private final VariableNames variables;
  private int at;

  ScriptLexer(String file, String text, VariableNames variables) {
    this.file = file;
    this.text = text;
    this.variables = variables;
    skipBlanks();
  }

  /**
   * A line with a backslash.
   *
   * @param name in lower case, without it
   * @param place file and line
   */
  record Command(String name, String arguments, String place) {
    ConfigException wrong(String what) {
      return new ConfigException("%s: \\%s %s".formatted(place, name, what));
    }
  }

  boolean hasMore() {
    return at < text.length();
  }

  private String place(int position) {
    return file + ":" + (1 + text.substring(0, position).chars().filter(c -> c == '\n').count());
  }

  private void skipBlanks() {
    while (hasMore()) {
      if (text.startsWith("--", at)) {
        at = endOfLine(at);
      } else if (!Character.isWhitespace(text.charAt(at))) {
        return;
      } else {
        at++;
      }
    }
  }

  private int endOfLine(int from) {
    int end = text.indexOf('\n', from);
    return end < 0 ? text.length() : end;
  }

  /** The command that begins here; null if none does. */
  @Nullable Command command() {
    if (!hasMore() || text.charAt(at) != '\\') {
      return null;
    }
    Matcher matcher = COMMAND.matcher(text);
    matcher.find(at);
    String arguments = matcher.group(2).replaceAll("\\\\\\r?\\n", " ").strip();
    Command command = new Command(matcher.group(1).toLowerCase(Locale.ROOT), arguments, place(at));
    at = matcher.end();
    skipBlanks();
    return command;
  }

  /** The statement that begins here; null if none does. */
  @Nullable SqlStatement statement() {
    int start = at;
    StringBuilder sql = new StringBuilder();
    List<String> parameters = new ArrayList<>();
    while (hasMore() && text.charAt(at) != ';' && text.charAt(at) != '\\') {
      char c = text.charAt(at);
      if (c == ':') {
        colon(sql, parameters);
      } else if (text.startsWith("--", at)) {
        at = endOfLine(at);
      } else if (c == '?') {
        sql.append("??"); // JDBC's way to write the operator
        at++;
      } else {
        int end = endOfQuoted();
        sql.append(text, at, end);
        at = end;
      }
    }
    if (hasMore() && text.charAt(at) == ';') {
      at++;
      skipBlanks();
    }
    String statement = sql.toString().strip();
    return statement.replaceAll("(?s)/\\*.*?\\*/", "").isBlank()
        ? null
        : SqlStatement.of(statement, parameters, place(start));
  }

  private void colon(StringBuilder sql, List<String> parameters) {
    Matcher variable = VARIABLE.matcher(text).region(at, text.length());
    if (variable.lookingAt()) {
      String name = variable.group(1);
      variables.read(name, place(at));
      parameters.add(name);
      sql.append('?');
      at = variable.end();
      return;
    }
    while (hasMore() && text.charAt(at) == ':') { // a cast, or a slice of an array
      sql.append(':');
      at++;
    }
  }

  /** The end of what is here and is copied as it is: a literal, a comment, a name, a sign. */
  private int endOfQuoted() {
    char c = text.charAt(at);
    if (c == '\'' || c == '"') {
      boolean escapes =
          c == '\'' && at > 0 && "eE".indexOf(text.charAt(at - 1)) >= 0 && !isInWord(at - 2);
      return closing(c, escapes);
    }
    if (c == '$' && !isInWord(at - 1)) {
      Matcher quote = DOLLAR_QUOTE.matcher(text).region(at, text.length());
      if (quote.lookingAt()) {
        return endAfter(quote.group(), quote.end());
      }
    }
    return text.startsWith("/*", at) ? endAfter("*/", at + 2) : at + 1;
  }

  private boolean isInWord(int position) {
    return position >= 0 && Character.isJavaIdentifierPart(text.charAt(position));
  }

  private int closing(char quote, boolean escapes) {
    int end = at + 1;
    while (end < text.length() && text.charAt(end) != quote) {
      end += escapes && text.charAt(end) == '\\' ? 2 : 1;
    }
    if (end >= text.length()) {
      throw unterminated(String.valueOf(quote));
    }
    requireNoVariable(end);
    return end + 1;
  }

  private int endAfter(String closing, int from) {
    int end = text.indexOf(closing, from);
    if (end < 0) {
      throw unterminated(closing);
    }
    return end + closing.length();
  }

  private ConfigException unterminated(String closing) {
    return new ConfigException(
        "%s: what begins here has no end: expected %s".formatted(place(at), closing));
  }

  /** A parameter cannot be in a literal; pgbench would send it broken. */
  private void requireNoVariable(int end) {
    Matcher variable = VARIABLE.matcher(text).region(at, end);
    while (variable.find()) {
      if (variables.isKnown(variable.group(1))) {
        throw new ConfigException(
            "%s: the variable %s is in quotes: expected it outside, as in 'text' || :name"
                .formatted(place(at), variable.group()));
      }
    }
  }
}
