package io.shardmark.proxy.routing.ddl;

import io.shardmark.proxy.routing.ReplayedChange;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.shardmap.ShardMap;
import io.shardmark.proxy.shardmap.ShardMap.NameSpace;
import io.shardmark.proxy.shardmap.ShardSet;
import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.shardmap.TableName;
import io.shardmark.proxy.sql.Name;
import io.shardmark.proxy.sql.Span;
import io.shardmark.proxy.sql.TableLookup;
import io.shardmark.proxy.sql.TableLookup.OneShardObject;
import io.shardmark.proxy.sql.Token;
import io.shardmark.proxy.sql.Token.TokenKind;
import io.shardmark.proxy.sql.TokenCursor;
import io.shardmark.proxy.sql.TokenRange;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** One statement, read token by token, with the cluster that it is planned for. */
final class DdlText extends TokenCursor {
  private static final String DEFAULT_SCHEMA = "public";

  /** Tables that no text names are made by these, or dropped. */
  private static final Set<String> UNNAMED = Set.of("cascade", "extension", "import", "owned");

  private final TableLookup tables;
  private final ShardMap map;
  private final Set<String> changed = new HashSet<>();
  private final List<ReplayedChange> refilled = new ArrayList<>();
  private boolean meetsUnknown;
  private boolean onlyPlaced;

  DdlText(TokenRange tokens, TableLookup tables) {
    super(tokens);
    this.tables = tables;
    this.map = tables.map();
  }

  String sql() {
    return tokens().sql();
  }

  int shards() {
    return map.shards().size();
  }

  List<String> shardNames() {
    return map.shards();
  }

  // ---- tokens

  Token token(int position) {
    return tokens().at(position);
  }

  boolean isWord(int position, String word) {
    return tokens().word(position, word);
  }

  boolean isSymbol(int position, String symbol) {
    return tokens().symbol(position, symbol);
  }

  String text(int from, int to) {
    return tokens().text(from, to);
  }

  int start(int position) {
    return position < end() ? token(position).start() : sql().length();
  }

  int end(int position) {
    return token(position).end();
  }

  /** The token after the parenthesis that closes this opening one. */
  int afterParentheses(int open) {
    int after = tokens().skip(open);
    return after > open + 1 ? after : end();
  }

  /** What is in parentheses, parted by commas. */
  List<Span> parts(int open) {
    return tokens().parts(open + 1, afterParentheses(open) - 1);
  }

  /** The names in a list of columns in parentheses. */
  List<String> columns(int open) {
    return parts(open).stream()
        .map(part -> part.size() == 1 ? token(part.from()).text() : "")
        .toList();
  }

  /** A string constant's value; only without escapes that could mean something else. */
  @Nullable String string(int position) {
    Token token = token(position);
    if (token.kind() != TokenKind.STRING) {
      return null;
    }
    return sql().substring(token.start() + 1, token.end() - 1).replace("''", "'");
  }

  // ---- names

  /** The table that a name means, or null if the map does not have it. */
  @Nullable Table table(Name name) {
    Table table = tables.find(name.schema(), name.name());
    meetsUnknown |= table == null;
    return table;
  }

  /** The table that is named here; null if none is, or the map does not have it. */
  @Nullable Table tableHere() {
    Name name = path();
    return name == null ? null : table(name);
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
    return onlyShard(NameSpace.RELATIONS, name);
  }

  /** The shard that alone has something of that name, or -1. */
  int onlyShard(NameSpace space, Name name) {
    OneShardObject alone = alone(space, name);
    return alone == null ? -1 : alone.shard();
  }

  /** What one shard alone has by that name, or null. */
  @Nullable OneShardObject alone(NameSpace space, Name name) {
    Table table = space == NameSpace.RELATIONS ? table(name) : null;
    if (table == null) {
      return tables.alone(space, name.schema(), name.name());
    }
    int shard = onlyShard(table);
    return shard < 0 ? null : new OneShardObject(table.name(), shard);
  }

  /** What is made on every shard cannot name what one shard alone has, if it is not -1. */
  void refuseOneShard(int shard) {
    if (shard >= 0) {
      throw new DdlRefusedException(
          "the statement concerns every shard and names a table that only shard %s has"
              .formatted(shardNames().get(shard)),
          "Choose that shard with a comment, /* shardmark_shard: name */, or SET shardmark.shard.");
    }
  }

  /** On the shard of the table, index or sequence that is named here, or everywhere. */
  StatementPlan whereNamed(DdlKind kind) {
    Name name = path();
    changes(name);
    return name == null ? everywhere(kind) : where(name, kind);
  }

  /** On the shard of the table, index or sequence of that name, or everywhere. */
  StatementPlan where(Name name, DdlKind kind) {
    return where(onlyShard(name), kind);
  }

  /** Moves past the next such word outside parentheses; false if there is none. */
  boolean moveBehind(String word) {
    int found = tokens().find(Span.of(at(), end()), word);
    boolean isThere = found < end();
    moveTo(isThere ? found + 1 : at());
    return isThere;
  }

  /** Where a new object of that name is made. */
  TableName created(Name name) {
    String schema = name.schema();
    if (schema == null) {
      List<String> path = tables.searchPath();
      schema = path.isEmpty() ? DEFAULT_SCHEMA : path.get(0);
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
    return everywhere(sql(), kind);
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
    return shard < 0 ? everywhere(kind) : onShard(shard, sql(), kind);
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

  /**
   * Makes a partition on one shard. The others make it in a savepoint and undo it: each server
   * checks that the bound overlaps no partition, and that no row of a default partition belongs to
   * it.
   *
   * @param trial makes it on the others
   * @param forOthers what the others do then, or ""
   */
  StatementPlan partitionOn(int shard, String sql, String trial, String forOthers, DdlKind kind) {
    String savepoint = "savepoint \"shardmark:partition\"";
    String undone =
        "%s; %s\n; rollback to %s; release %s".formatted(savepoint, trial, savepoint, savepoint);
    String others = forOthers.isEmpty() ? undone : undone + "; " + forOthers;
    return perShard(i -> i == shard ? sql : others, kind, shard);
  }

  /**
   * A shard that has something of that name, -1 if all have; null if the map has nothing of that
   * name.
   */
  @Nullable Integer placeOf(NameSpace space, TableName name) {
    Table table = space == NameSpace.RELATIONS ? tables.find(name.schema(), name.name()) : null;
    ShardSet having = map.names(space).get(name);
    if (having != null) {
      return having.size() == shards() ? -1 : having.first();
    }
    if (table != null) {
      return onlyShard(table);
    }
    meetsUnknown = true; // another proxy may have made it just now
    return null;
  }

  StatementPlan perShard(IntFunction<@Nullable String> text, DdlKind kind) {
    return perShard(text, kind, StatementPlan.Ddl.FIRST);
  }

  /**
   * @param shown the shard whose answer the client gets
   */
  StatementPlan perShard(IntFunction<@Nullable String> text, DdlKind kind, int shown) {
    List<@Nullable String> statements = new ArrayList<>();
    for (int shard = 0; shard < shards(); shard++) {
      statements.add(text.apply(shard));
    }
    return new StatementPlan.Ddl(
        Collections.unmodifiableList(statements),
        shown,
        kind.transactional(),
        kind.changesMap(),
        unknown(),
        Set.copyOf(changed),
        changesOthers(),
        List.copyOf(refilled));
  }

  // ---- what it changes

  /** The place or columns of the table of that name, if there is a name. */
  void changes(@Nullable Name name) {
    if (name != null) {
      changed.add(name.name());
    }
  }

  /**
   * Columns of a reference table that each shard fills for itself in the rows that there are. An
   * INSERT that was planned without them would fill the copies differently.
   */
  void refills(TableName table, List<String> columns) {
    changed.add(table.name());
    refilled.add(ReplayedChange.refilling(table, columns));
  }

  /** After it another table may have the name, or the one that search_path comes to next. */
  void changesSchemas() {
    do {
      String schema = take().text();
      map.tables().keySet().stream()
          .filter(table -> table.schema().equals(schema))
          .forEach(table -> changed.add(table.name()));
    } while (take(","));
  }

  private boolean changesOthers() {
    for (int i = 0; i < end(); i++) {
      // CREATE SCHEMA may be followed by the CREATE TABLE of tables in it.
      boolean creates = i > 0 && token(i).isWord("create");
      if (creates || (token(i).isName() && UNNAMED.contains(token(i).text()))) {
        return true;
      }
    }
    return false;
  }
}
