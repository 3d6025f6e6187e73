package io.shardmark.proxy.routing.ddl;

import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.routing.Token;
import io.shardmark.proxy.shardmap.ShardMap;
import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.shardmap.TableName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** One statement, read token by token, with the cluster that it is planned for. */
final class DdlText {
  private static final String DEFAULT_SCHEMA = "public";

  /** Tables that no text names are made by these, or dropped. */
  private static final Set<String> UNNAMED = Set.of("cascade", "extension", "import", "owned");

  private final String sql;
  private final List<Token> tokens;
  private final ShardMap map;
  private final List<String> searchPath;
  private final Set<String> changed = new HashSet<>();
  private int at;
  private boolean meetsUnknown;
  private boolean onlyPlaced;

  DdlText(String sql, List<Token> tokens, ShardMap map, List<String> searchPath) {
    this.sql = sql;
    this.tokens = tokens;
    this.map = map;
    this.searchPath = searchPath;
  }

  /** A name in the text, perhaps with its schema. */
  record Name(List<String> path, int start, int end) {
    String name() {
      return path.get(path.size() - 1);
    }

    @Nullable String schema() {
      return path.size() < 2 ? null : path.get(path.size() - 2);
    }

    /** Of a column's name the table's. */
    Name owner() {
      return new Name(path.subList(0, Math.max(1, path.size() - 1)), start, end);
    }
  }

  String sql() {
    return sql;
  }

  List<Token> tokens() {
    return tokens;
  }

  int shards() {
    return map.shards().size();
  }

  List<String> shardNames() {
    return map.shards();
  }

  // ---- tokens

  int at() {
    return at;
  }

  void moveTo(int position) {
    at = position;
  }

  int size() {
    return tokens.size();
  }

  boolean atEnd() {
    return at >= tokens.size();
  }

  Token token(int position) {
    return tokens.get(position);
  }

  boolean isWord(int position, String word) {
    return position >= 0 && position < tokens.size() && tokens.get(position).isWord(word);
  }

  boolean isSymbol(int position, String symbol) {
    return position >= 0 && position < tokens.size() && tokens.get(position).isSymbol(symbol);
  }

  /** Whether these words or symbols follow; then moves past them. */
  boolean accept(String... words) {
    for (int i = 0; i < words.length; i++) {
      if (!isWord(at + i, words[i]) && !isSymbol(at + i, words[i])) {
        return false;
      }
    }
    at += words.length;
    return true;
  }

  /** Moves past one of these words if it is next. */
  boolean acceptAny(String... words) {
    for (String word : words) {
      if (accept(word)) {
        return true;
      }
    }
    return false;
  }

  /** The text of some tokens. */
  String text(int fromToken, int toToken) {
    return fromToken >= toToken
        ? ""
        : sql.substring(tokens.get(fromToken).start(), tokens.get(toToken - 1).end());
  }

  int start(int position) {
    return position < tokens.size() ? tokens.get(position).start() : sql.length();
  }

  int end(int position) {
    return tokens.get(position).end();
  }

  /** The token after the parenthesis that closes this opening one. */
  int afterParentheses(int open) {
    int depth = 0;
    for (int i = open; i < tokens.size(); i++) {
      if (tokens.get(i).isSymbol("(")) {
        depth++;
      } else if (tokens.get(i).isSymbol(")") && --depth == 0) {
        return i + 1;
      }
    }
    return tokens.size();
  }

  /** Parts between commas that stand in no parentheses; pairs of token positions. */
  List<int[]> parts(int from, int to) {
    List<int[]> parts = new ArrayList<>();
    int begin = from;
    int i = from;
    while (i < to) {
      if (tokens.get(i).isSymbol("(")) {
        i = afterParentheses(i);
        continue;
      }
      if (tokens.get(i).isSymbol(",")) {
        parts.add(new int[] {begin, i});
        begin = i + 1;
      }
      i++;
    }
    parts.add(new int[] {begin, Math.min(i, to)});
    return parts;
  }

  /** The names in a list of columns in parentheses. */
  List<String> columns(int open) {
    List<String> columns = new ArrayList<>();
    for (int[] part : parts(open + 1, afterParentheses(open) - 1)) {
      columns.add(part[1] == part[0] + 1 ? tokens.get(part[0]).text() : "");
    }
    return columns;
  }

  /** A string constant's value; only without escapes that could mean something else. */
  @Nullable String string(int position) {
    Token token = tokens.get(position);
    if (token.kind() != Token.Kind.STRING) {
      return null;
    }
    return sql.substring(token.start() + 1, token.end() - 1).replace("''", "'");
  }

  // ---- names

  /** The name here, if there is one; moves past it. */
  @Nullable Name name() {
    if (atEnd() || !tokens.get(at).isName()) {
      return null;
    }
    int first = at;
    List<String> path = new ArrayList<>(List.of(tokens.get(at++).text()));
    while (isSymbol(at, ".") && at + 1 < tokens.size() && tokens.get(at + 1).isName()) {
      path.add(tokens.get(at + 1).text());
      at += 2;
    }
    return new Name(path, start(first), end(at - 1));
  }

  /** The table that a name means, or null if the map does not have it. */
  @Nullable Table table(Name name) {
    Table table = found(name, map.tables());
    meetsUnknown |= table == null;
    return table;
  }

  /** The table that is named here; null if none is, or the map does not have it. */
  @Nullable Table tableHere() {
    Name name = name();
    return name == null ? null : table(name);
  }

  private <V> @Nullable V found(Name name, Map<TableName, V> among) {
    List<String> schemas = name.schema() == null ? searchPath : List.of(name.schema());
    for (String schema : schemas) {
      V value = among.get(new TableName(schema, name.name()));
      if (value != null) {
        return value;
      }
    }
    return null;
  }

  /** Whether it is a partitioned table without partitions, which may still be spread. */
  boolean isBare(Table table) {
    return map.bare().containsKey(table.name());
  }

  /** How a table is spread, or will be when it has partitions. */
  Distribution distribution(@Nullable Table table) {
    String key = table == null ? null : map.bare().get(table.name());
    return key == null ? Distribution.of(table) : Distribution.sharded(key);
  }

  /** The shard that alone has the table, index or sequence of that name, or -1. */
  int onlyShard(Name name) {
    Table table = table(name);
    Integer alone = table == null ? found(name, map.alone()) : null;
    return alone == null ? onlyShard(table) : alone;
  }

  /** On the shard of the table, index or sequence that is named here, or everywhere. */
  StatementPlan whereNamed(DdlKind kind) {
    Name name = name();
    changes(name);
    return name == null ? everywhere(kind) : where(name, kind);
  }

  /** On the shard of the table, index or sequence of that name, or everywhere. */
  StatementPlan where(Name name, DdlKind kind) {
    return where(onlyShard(name), kind);
  }

  /** Moves past the next such word outside parentheses; false if there is none. */
  boolean moveBehind(String word) {
    int i = at;
    while (i < size() && !isWord(i, word)) {
      i = isSymbol(i, "(") ? afterParentheses(i) : i + 1;
    }
    boolean found = i < size();
    at = found ? i + 1 : at;
    return found;
  }

  /** Where a new object of that name is made. */
  TableName created(Name name) {
    String schema = name.schema();
    if (schema == null) {
      schema = searchPath.isEmpty() ? DEFAULT_SCHEMA : searchPath.get(0);
    }
    return new TableName(schema, name.name());
  }

  /** The shard that a table alone lives on, or -1. */
  int onlyShard(@Nullable Table table) {
    return table != null && table.sharding() instanceof Sharding.OnShard on ? on.shard() : -1;
  }

  // ---- plans

  /** The same on every shard. */
  StatementPlan everywhere(DdlKind kind) {
    return everywhere(sql, kind);
  }

  StatementPlan everywhere(String text, DdlKind kind) {
    return perShard(shard -> text, kind);
  }

  StatementPlan onShard(int shard, String text, DdlKind kind) {
    return perShard(i -> i == shard ? text : null, kind);
  }

  /** On the table's own shard, or everywhere. */
  StatementPlan whereTableIs(@Nullable Table table, DdlKind kind) {
    return where(onlyShard(table), kind);
  }

  private StatementPlan where(int shard, DdlKind kind) {
    return shard < 0 ? everywhere(kind) : onShard(shard, sql, kind);
  }

  private StatementPlan.Ddl.Unknown unknown() {
    if (!meetsUnknown) {
      return StatementPlan.Ddl.Unknown.NOTHING;
    }
    return onlyPlaced ? StatementPlan.Ddl.Unknown.PLACE : StatementPlan.Ddl.Unknown.DEFINITION;
  }

  /** Of what it names only the place matters, not how it is defined. */
  void onlyPlace() {
    onlyPlaced = true;
  }

  StatementPlan perShard(IntFunction<@Nullable String> text, DdlKind kind) {
    List<@Nullable String> statements = new ArrayList<>();
    for (int shard = 0; shard < shards(); shard++) {
      statements.add(text.apply(shard));
    }
    return new StatementPlan.Ddl(
        Collections.unmodifiableList(statements),
        kind.transactional(),
        kind.changesMap(),
        unknown(),
        Set.copyOf(changed),
        changesOthers());
  }

  // ---- what it changes

  /** The place or columns of the table of that name, if there is a name. */
  void changes(@Nullable Name name) {
    if (name != null) {
      changed.add(name.name());
    }
  }

  /** Those of the tables in a list. */
  void changesNamed() {
    do {
      changes(name());
    } while (accept(","));
  }

  /** Behind it another table may have the name, or the one that search_path comes to next. */
  void changesSchemas() {
    do {
      String schema = atEnd() ? "" : token(at).text();
      map.tables().keySet().stream()
          .filter(table -> table.schema().equals(schema))
          .forEach(table -> changed.add(table.name()));
      at++;
    } while (accept(","));
  }

  private boolean changesOthers() {
    // CREATE SCHEMA may be followed by the CREATE TABLE of tables in it.
    return tokens.stream().anyMatch(token -> token.isName() && UNNAMED.contains(token.text()))
        || tokens.stream().skip(1).anyMatch(token -> token.isWord("create"));
  }
}
