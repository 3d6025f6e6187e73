package io.shardmark.proxy.routing;

import io.shardmark.proxy.merge.MergeSpec;
import io.shardmark.proxy.routing.CopyRows.Format;
import io.shardmark.proxy.routing.StatementPlan.Copy;
import io.shardmark.proxy.shardmap.Column;
import io.shardmark.proxy.shardmap.RowChange;
import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.shardmap.TableName;
import io.shardmark.proxy.sql.Name;
import io.shardmark.proxy.sql.Span;
import io.shardmark.proxy.sql.SyntaxException;
import io.shardmark.proxy.sql.TableLookup;
import io.shardmark.proxy.sql.Target;
import io.shardmark.proxy.sql.Token;
import io.shardmark.proxy.sql.TokenCursor;
import io.shardmark.proxy.sql.TokenRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Plans COPY (PG18 sql-copy), in its newer and its two older spellings. Used once. */
record CopyPlanner(TokenRange tokens, TableLookup tables) {
  /** Whether it is COPY ... FROM STDIN; PostgreSQL takes STDOUT there for the same. */
  static boolean copiesIn(TokenRange tokens) {
    int from = tokens.find(Span.of(0, tokens.size()), "from");
    Token next = tokens.at(from + 1);
    return tokens.word(0, "copy") && (next.isWord("stdin") || next.isWord("stdout"));
  }

  /**
   * @param queries plans the query of COPY (query) TO
   * @throws SyntaxException if the statement is not understood
   */
  StatementPlan plan(Function<String, StatementPlan> queries) {
    TokenCursor words = new TokenCursor(tokens);
    words.take("copy");
    if (words.sees("(")) {
      return query(words, queries);
    }
    final boolean binary = words.take("binary");
    words.take("table");
    final int start = words.at();
    Name name = words.path();
    Table table = name == null ? null : tables.find(name.schema(), name.name());
    if (table == null) {
      return Refusals.query(
          Access.WRITE,
          "relation \""
              + (name == null ? "" : name.name())
              + "\" does not exist or is not known to the proxy",
          Refusals.BY_HAND);
    }
    String written = tokens.text(start, words.at());
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
    if (table.sharding() instanceof Sharding.Unroutable unroutable) {
      return Refusals.query(
          Access.WRITE, "table " + table.name() + " " + unroutable.reason(), Refusals.BY_HAND);
    }
    if (table.sharding() instanceof Sharding.OnShard on) {
      if (fromClient && on.uncheckedKey().isPresent()) {
        return Refusals.query(Access.WRITE, Table.unchecked(table.name()), Refusals.BY_HAND);
      }
      return new Copy(fromClient, new Target.Fixed(on.shard()), null, false, null);
    }
    return fromClient
        ? fromClient(words, table, columns, binary)
        : toClient(words, table, columns, written, binary);
  }

  private static List<String> columns(TokenCursor words, Table table) {
    List<String> columns = new ArrayList<>();
    if (!words.take("(")) {
      table.columns().stream()
          .filter(column -> column.filling() != Column.Filling.GENERATED)
          .map(Column::name)
          .forEach(columns::add);
      return columns;
    }
    columns.addAll(words.list(words::name));
    if (!words.take(")")) {
      throw new SyntaxException("COPY with a list of columns");
    }
    return columns;
  }

  /** COPY refuses partitioned tables by name: their rows are what a query on them gives. */
  private StatementPlan toClient(
      TokenCursor words, Table table, List<String> columns, String written, boolean binary) {
    if (table.sharding() instanceof Sharding.Reference) {
      return new Copy(false, new Target.Any(), null, true, null);
    }
    CopyOptions options = new CopyOptions(binary ? Format.BINARY : Format.TEXT);
    String text = words.rest();
    if (binary) {
      words.take("with");
      text = "BINARY " + words.rest();
    }
    options.read(words);
    String list = columns.stream().map(TableName::quoted).collect(Collectors.joining(", "));
    String query = "COPY (SELECT " + list + " FROM " + written + ") TO STDOUT " + text;
    CopyText output = new CopyText(options.hasHeader(), query);
    return new Copy(false, new Target.All(), null, false, output);
  }

  private StatementPlan fromClient(
      TokenCursor words, Table table, List<String> columns, boolean binary) {
    if (!(table.sharding() instanceof Sharding.ByColumn byColumn)) {
      return intoReference(words, table, columns);
    }
    int key = columns.indexOf(byColumn.column());
    if (key < 0) {
      return Refusals.query(
          Access.WRITE,
          "COPY into " + table.name() + " has no sharding column " + byColumn.column(),
          "Add the column to the list of columns and to the data.");
    }
    CopyOptions options = new CopyOptions(binary ? Format.BINARY : Format.TEXT);
    options.read(words);
    String unsupported = options.unsupported(byColumn);
    if (unsupported != null) {
      return Refusals.query(
          Access.WRITE,
          "COPY with the option " + unsupported + " cannot be cut by shard",
          "Leave the option out.");
    }
    return new Copy(true, new Target.All(), options.rows(byColumn, key), false, null);
  }

  /** Every shard takes the same rows; what they leave out the first one computes for all. */
  private StatementPlan intoReference(TokenCursor words, Table table, List<String> columns) {
    boolean marked = false;
    while (!words.done()) {
      marked |= words.take().isWord("default");
    }
    List<Column> filled = new ArrayList<>();
    for (Column column : table.columns()) {
      if (marked || !columns.contains(column.name())) {
        filled.add(column);
      }
    }
    String different = table.reactions().contains(RowChange.INSERT) ? "a trigger or rule" : null;
    for (Column column : filled) {
      if (column.filling() == Column.Filling.MAY_WRITE) {
        different = "the default of column " + column.name();
      }
    }
    boolean one = tables.map().shards().size() == 1;
    if (different == null || one) {
      boolean computed =
          filled.stream().anyMatch(column -> column.filling() == Column.Filling.MAY_DIFFER);
      ReplayedChange replayed = computed && !one ? ReplayedChange.copied(table, columns) : null;
      return new Copy(true, new Target.All(), null, true, null, Set.of(), replayed);
    }
    return new StatementPlan.RefusedPlan(
        "table "
            + table.name()
            + " is on every shard, and "
            + different
            + " may differ between them",
        "Name the column in COPY and give its values.");
  }

  private StatementPlan query(TokenCursor words, Function<String, StatementPlan> queries) {
    int close = tokens.checked().partner(1);
    words.moveTo(close + 1);
    if (!words.take("to", "stdout")) {
      return Refusals.query(
          Access.WRITE, "COPY to a file or program of a server", "Use COPY ... TO STDOUT.");
    }
    String inner = tokens.sql().substring(tokens.at(1).end(), tokens.at(close).start()).strip();
    StatementPlan plan = queries.apply(inner);
    if (!(plan instanceof StatementPlan.QueryPlan query)) {
      return plan;
    }
    boolean concatenated =
        query.strategy() instanceof ScatterStrategy.Merge merge
            && merge.sql().equals(inner)
            && merge.spec().equals(MergeSpec.CONCATENATION);
    boolean single =
        query.target() instanceof Target.Any
            || query.target() instanceof Target.First
            || query.target() instanceof Target.Fixed
            || (query.target() instanceof Target.Keys keys
                && keys.sets().size() == 1
                && query.strategy().knownOn() < 0
                && keys.sets().get(0).values().size() == 1);
    if (query.access() == Access.WRITE || !(concatenated || single)) {
      return Refusals.query(
          query.access(),
          "COPY of a query whose rows must be merged",
          "Fix the sharding column to one key, or copy without ORDER BY, LIMIT and groups.");
    }
    CopyOptions options = new CopyOptions(Format.TEXT);
    options.read(words);
    boolean reference = query.target() instanceof Target.Any;
    CopyText output = new CopyText(options.hasHeader(), "");
    return new Copy(false, query.target(), null, reference, output, query.effects(), null);
  }
}
