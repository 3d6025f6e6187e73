package io.shardmark.proxy.routing;

import io.shardmark.proxy.routing.CopyRows.Format;
import io.shardmark.proxy.shardmap.KeyType;
import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.sql.SyntaxException;
import io.shardmark.proxy.sql.Token;
import io.shardmark.proxy.sql.Token.TokenKind;
import io.shardmark.proxy.sql.TokenCursor;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The options of COPY that change how rows and fields are found. */
final class CopyOptions {
  private Format format;
  private String delimiter = "";
  private String quote = "\"";
  private String escape = "";
  private String nullText = "";
  private boolean nullGiven;
  private boolean header;
  private boolean encoding;
  private final Set<String> forcedNulls = new HashSet<>();
  private @Nullable String unsupported;

  /**
   * @param format unless an option says otherwise
   */
  CopyOptions(Format format) {
    this.format = format;
  }

  /** Whether there is a header line. */
  boolean hasHeader() {
    return header && format != Format.BINARY;
  }

  /** The option with which rows cannot be dealt out by such keys, or null. */
  @Nullable String unsupported(Sharding.ByColumn sharding) {
    if (forcedNulls.contains(sharding.column()) || forcedNulls.contains("*")) {
      return "force_null or force_not_null of the sharding column";
    }
    boolean text = sharding.keyType() == KeyType.TEXT;
    return unsupported == null && encoding && text ? "encoding" : unsupported;
  }

  /** Both {@code WITH (FORMAT csv, HEADER)} and {@code WITH CSV HEADER} are read word by word. */
  void read(TokenCursor words) {
    words.take("with");
    words.take("(");
    while (!words.done() && !words.peek().isWord("where")) {
      option(words);
    }
  }

  private void option(TokenCursor words) {
    String name = words.take().text().toLowerCase(Locale.ROOT);
    switch (name) {
      case "format" -> format(words.value().toLowerCase(Locale.ROOT));
      case "csv", "binary" -> format(name);
      case "delimiter", "delimiters" -> delimiter = argument(words);
      case "force" -> {
        boolean quote = !words.take("not") && words.peek().isWord("quote");
        words.take();
        columns(words, quote ? new HashSet<>() : forcedNulls);
      }
      case "force_null", "force_not_null" -> columns(words, forcedNulls);
      case "force_quote" -> columns(words, new HashSet<>());
      case "quote" -> quote = argument(words);
      case "escape" -> escape = argument(words);
      case "header" -> header = isTrue(words);
      case "null" -> {
        nullText = argument(words);
        nullGiven = true;
      }
      case "encoding" -> {
        argument(words);
        encoding = true;
      }
      case "default" -> unsupported = "default";
      default -> {} // FREEZE and others change nothing here
    }
  }

  /** Columns may be named like options. */
  private static void columns(TokenCursor words, Set<String> columns) {
    boolean parentheses = words.take("(");
    columns.addAll(
        words.list(
            () -> {
              Token column = words.take();
              if (!column.isName() && !column.isSymbol("*")) {
                throw new SyntaxException("COPY with a list of columns");
              }
              return column.text();
            }));
    if (parentheses && !words.take(")")) {
      throw new SyntaxException("COPY with a list of columns");
    }
  }

  private void format(String name) {
    format =
        switch (name) {
          case "csv" -> Format.CSV;
          case "binary" -> Format.BINARY;
          case "text" -> Format.TEXT;
          default -> throw new SyntaxException("COPY format " + name);
        };
  }

  private static String argument(TokenCursor words) {
    words.take("as");
    Token token = words.peek();
    if (token.kind() == TokenKind.ESCAPED_STRING) {
      return escapedString(words);
    }
    return words.value();
  }

  /** {@code E'\t'} and the like. */
  private static String escapedString(TokenCursor words) {
    String text = words.tokens().text(words.take());
    String inner = text.substring(2, text.length() - 1);
    return switch (inner) {
      case "\\t" -> "\t";
      case "\\b" -> "\b";
      case "\\\\N" -> "\\N";
      default -> {
        if (inner.indexOf('\\') >= 0) {
          throw new SyntaxException("COPY option " + text);
        }
        yield inner;
      }
    };
  }

  private static boolean isTrue(TokenCursor words) {
    if (words.peek().kind() == TokenKind.STRING) {
      String quoted = words.value().toLowerCase(Locale.ROOT);
      return !List.of("false", "off", "0").contains(quoted);
    }
    String value = words.peek().text().toLowerCase(Locale.ROOT);
    if (List.of("false", "off").contains(value)) {
      words.take();
      return false;
    }
    if (List.of("true", "on", "match").contains(value)) {
      words.take();
    } else if (words.peek().kind() == TokenKind.INTEGER) {
      return words.value().equals("1");
    }
    return true;
  }

  CopyRows rows(Sharding.ByColumn sharding, int key) {
    boolean csv = format == Format.CSV;
    String separator = delimiter.isEmpty() ? (csv ? "," : "\t") : delimiter;
    String escaped = escape.isEmpty() ? quote : escape;
    String nulls = nullGiven ? nullText : (csv ? "" : "\\N");
    return new CopyRows(
        sharding, key, format, oneByte(separator), oneByte(quote), oneByte(escaped), nulls, header);
  }

  private static byte oneByte(String text) {
    if (text.length() != 1 || text.charAt(0) > 127) {
      throw new SyntaxException("a COPY delimiter or quote of several bytes");
    }
    return (byte) text.charAt(0);
  }
}
