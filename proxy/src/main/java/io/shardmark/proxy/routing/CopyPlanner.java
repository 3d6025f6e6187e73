package io.shardmark.proxy.routing;

import io.shardmark.proxy.merge.Merges;
import io.shardmark.proxy.merge.RowWindow;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.CopyRows.Format;
import io.shardmark.proxy.routing.StatementPlan.Copy;
import io.shardmark.proxy.shardmap.Column;
import io.shardmark.proxy.shardmap.KeyType;
import io.shardmark.proxy.shardmap.RowChange;
import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.shardmap.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Plans COPY (PG18 sql-copy), in its newer and its two older spellings. Used once. */
final class CopyPlanner {
  private final String sql;
  private final List<Token> tokens;
  private final TableLookup tables;

  CopyPlanner(String sql, List<Token> tokens, TableLookup tables) {
    this.sql = sql;
    this.tokens = tokens;
    this.tables = tables;
  }

  /**
   * @param queries plans the query of COPY (query) TO
   * @throws SyntaxException if the statement is not understood
   */
  StatementPlan plan(Function<String, StatementPlan> queries) {
    Words words = new Words(sql, tokens);
    words.take("copy");
    if (words.peek().isSymbol("(")) {
      return query(queries);
    }
    boolean binary = words.take("binary");
    words.take("table");
    String schema = null;
    String name = words.name();
    while (words.take(".")) {
      schema = name;
      name = words.name();
    }
    Table table = tables.find(schema, name);
    if (table == null) {
      return Refusals.query(
          Access.WRITE,
          "relation \"" + name + "\" does not exist or is not known to the proxy",
          Refusals.BY_HAND);
    }
    List<String> columns = columns(words, table);
    boolean fromClient = words.take("from");
    if (!fromClient && !words.take("to")) {
      throw new SyntaxException("COPY");
    }
    if (!words.take("stdin") && !words.take("stdout")) {
      return Refusals.query(
          Access.WRITE,
          "COPY with a file or program of the server cannot be spread over shards",
          "Use COPY ... FROM STDIN or TO STDOUT, in psql \\copy.");
    }
    return fromClient ? fromClient(words, table, columns, binary) : toClient(table);
  }

  private static List<String> columns(Words words, Table table) {
    List<String> columns = new ArrayList<>();
    if (!words.take("(")) {
      table.columns().stream().map(Column::name).forEach(columns::add);
      return columns;
    }
    do {
      columns.add(words.name());
    } while (words.take(","));
    if (!words.take(")")) {
      throw new SyntaxException("COPY with a list of columns");
    }
    return columns;
  }

  private StatementPlan toClient(Table table) {
    Sharding sharding = table.sharding();
    if (sharding instanceof Sharding.Unroutable unroutable) {
      return refused(table, unroutable);
    }
    if (sharding instanceof Sharding.OnShard on) {
      return new Copy(false, new Target.Fixed(on.shard()), null, false);
    }
    boolean reference = sharding instanceof Sharding.Reference;
    return new Copy(false, reference ? new Target.Any() : new Target.All(), null, reference);
  }

  private static StatementPlan refused(Table table, Sharding.Unroutable unroutable) {
    return Refusals.query(
        Access.WRITE, "table " + table.name() + " " + unroutable.reason(), Refusals.BY_HAND);
  }

  private StatementPlan fromClient(Words words, Table table, List<String> columns, boolean binary) {
    Sharding sharding = table.sharding();
    if (sharding instanceof Sharding.Unroutable unroutable) {
      return refused(table, unroutable);
    }
    if (sharding instanceof Sharding.OnShard on) {
      return new Copy(true, new Target.Fixed(on.shard()), null, false);
    }
    if (!(sharding instanceof Sharding.ByColumn byColumn)) {
      return intoReference(words, table, columns);
    }
    int key = columns.indexOf(byColumn.column());
    if (key < 0) {
      return Refusals.query(
          Access.WRITE,
          "COPY into " + table.name() + " has no sharding column " + byColumn.column(),
          "Add the column to the list of columns and to the data.");
    }
    Options options = new Options();
    options.format = binary ? Format.BINARY : Format.TEXT;
    options.read(words);
    if (options.unsupported != null || (options.encoding && byColumn.keyType() == KeyType.TEXT)) {
      return Refusals.query(
          Access.WRITE,
          "COPY with the option "
              + (options.unsupported == null ? "encoding" : options.unsupported)
              + " cannot be cut by shard",
          "Leave the option out.");
    }
    return new Copy(true, new Target.All(), options.rows(byColumn, key), false);
  }

  /** Every shard takes the same rows; what they leave out must be the same too. */
  private StatementPlan intoReference(Words words, Table table, List<String> columns) {
    String different = table.reactions().contains(RowChange.INSERT) ? "a trigger or rule" : null;
    boolean marked = false;
    while (!words.done()) {
      marked |= words.take().isWord("default");
    }
    for (Column column : table.columns()) {
      if (column.filling() == Column.Filling.MAY_DIFFER
          && (marked || !columns.contains(column.name()))) {
        different = "the default of column " + column.name();
      }
    }
    if (different == null || tables.map().shards().size() == 1) {
      return new Copy(true, new Target.All(), null, true);
    }
    return new StatementPlan.Refused(
        SqlState.FEATURE_NOT_SUPPORTED.code(),
        "table "
            + table.name()
            + " is on every shard, and "
            + different
            + " may differ between them",
        "Name the column in COPY and give its values.");
  }

  private StatementPlan query(Function<String, StatementPlan> queries) {
    TokenRange range = new TokenRange(tokens);
    int close = range.partner(1);
    Words after = new Words(sql, tokens.subList(close + 1, tokens.size()));
    if (!after.take("to", "stdout")) {
      return Refusals.query(
          Access.WRITE, "COPY to a file or program of a server", "Use COPY ... TO STDOUT.");
    }
    String inner = sql.substring(range.at(1).end(), range.at(close).start()).strip();
    StatementPlan plan = queries.apply(inner);
    if (!(plan instanceof StatementPlan.Query query)) {
      return plan;
    }
    boolean concatenated =
        query.spread() instanceof Spread.Merge merge
            && merge.sql().equals(inner)
            && merge.spec().equals(Merges.concat(RowWindow.ALL, 0));
    boolean single =
        query.target() instanceof Target.Any
            || query.target() instanceof Target.Fixed
            || (query.target() instanceof Target.Keys keys
                && keys.sets().size() == 1
                && keys.sets().get(0).values().size() == 1);
    if (query.access() == Access.WRITE || !(concatenated || single)) {
      return Refusals.query(
          query.access(),
          "COPY of a query whose rows must be merged",
          "Fix the sharding column to one key, or copy without ORDER BY, LIMIT and groups.");
    }
    return new Copy(false, query.target(), null, query.target() instanceof Target.Any);
  }

  /** The options that change how rows and fields are found. */
  private static final class Options {
    private Format format = Format.TEXT;
    private String delimiter = "";
    private String quote = "\"";
    private String escape = "";
    private String nullText = "";
    private boolean nullGiven;
    private boolean header;
    private boolean encoding;
    private @Nullable String unsupported;

    /** Both {@code WITH (FORMAT csv, HEADER)} and {@code WITH CSV HEADER} are read word by word. */
    void read(Words words) {
      words.take("with");
      words.take("(");
      while (!words.done() && !words.peek().isWord("where")) {
        option(words);
      }
    }

    private void option(Words words) {
      String name = words.take().text().toLowerCase(Locale.ROOT);
      switch (name) {
        case "format" -> format(words.value().toLowerCase(Locale.ROOT));
        case "csv", "binary" -> format(name);
        case "delimiter" -> delimiter = argument(words);
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
        default -> {} // FREEZE, FORCE_NULL and others change nothing here
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

    private static String argument(Words words) {
      words.take("as");
      Token token = words.peek();
      if (token.kind() == Token.Kind.ESCAPED_STRING) {
        return escapedString(words);
      }
      return words.value();
    }

    /** {@code E'\t'} and the like. */
    private static String escapedString(Words words) {
      String text = words.raw();
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

    private static boolean isTrue(Words words) {
      String value = words.peek().text().toLowerCase(Locale.ROOT);
      if (List.of("false", "off").contains(value)) {
        words.take();
        return false;
      }
      if (List.of("true", "on", "match").contains(value)) {
        words.take();
      } else if (words.peek().kind() == Token.Kind.INTEGER) {
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
          sharding,
          key,
          format,
          oneByte(separator),
          oneByte(quote),
          oneByte(escaped),
          nulls,
          header);
    }

    private static byte oneByte(String text) {
      if (text.length() != 1 || text.charAt(0) > 127) {
        throw new SyntaxException("a COPY delimiter or quote of several bytes");
      }
      return (byte) text.charAt(0);
    }
  }
}
