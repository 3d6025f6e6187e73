package io.shardmark.proxy.routing.ddl;

import io.shardmark.proxy.routing.ddl.Distribution.DistributionKind;
import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.shardmap.TableName;
import io.shardmark.proxy.sql.CallFacts;
import io.shardmark.proxy.sql.Name;
import io.shardmark.proxy.sql.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Columns and constraints of a table: refuses what several shards cannot keep, and deals the values
 * of its identity columns to the shards.
 */
final class TableElements {
  /** serial columns become identity columns: only those take a sequence's options in place. */
  private static final Map<String, String> SERIAL_TYPES =
      Map.of(
          "serial", "integer",
          "serial4", "integer",
          "bigserial", "bigint",
          "serial8", "bigint",
          "smallserial", "smallint",
          "serial2", "smallint");

  private final DdlText text;
  private final TableName table;
  private final Distribution distribution;
  private final List<IntFunction<TextEdits>> edits = new ArrayList<>();
  private final List<String> drawn = new ArrayList<>();

  TableElements(DdlText text, TableName table, Distribution distribution) {
    this.text = text;
    this.table = table;
    this.distribution = distribution;
  }

  /** What the definition of one shard differs by. */
  TextEdits edits(int shard) {
    TextEdits all = new TextEdits();
    for (IntFunction<TextEdits> edit : edits) {
      all = all.with(edit.apply(shard));
    }
    return all;
  }

  /** Columns whose values each shard would compute for itself. */
  List<String> drawn() {
    return drawn;
  }

  /** What computes a column's values. */
  void computed(String column, int from, int to) {
    if (CallFacts.of(text.tokens(), Span.of(from, to)).different() != null) {
      drawn.add(column);
    }
  }

  /** A column's definition or a table's constraint, in these tokens. */
  void element(int from, int to) {
    int at = text.isWord(from, "constraint") ? from + 2 : from;
    if (text.isWord(at, "primary") || text.isWord(at, "unique")) {
      int open = open(at, to);
      if (open < to && !text.isWord(at + 1, "using")) {
        unique(text.columns(open));
      }
    } else if (text.isWord(at, "foreign")) {
      int open = open(at, to);
      foreignKey(text.columns(open), text.afterParentheses(open), to);
    } else if (text.isWord(at, "exclude")) {
      if (distribution.is(DistributionKind.SHARDED)) {
        throw acrossShards("an exclusion constraint");
      }
    } else if (text.isWord(at, "like")) {
      text.moveTo(at + 1);
      int shard = text.onlyShard(text.tableHere());
      if (shard >= 0 && shard != distribution.shard()) {
        text.refuseOneShard(shard);
      }
    } else if (!text.isWord(at, "check")) {
      column(from, to);
    }
  }

  private int open(int from, int to) {
    int at = from;
    while (at < to && !text.isSymbol(at, "(")) {
      at++;
    }
    return at;
  }

  /** A key over shards can be kept only where equal keys meet on one shard. */
  void unique(List<String> columns) {
    if (distribution.is(DistributionKind.SHARDED) && !columns.contains(distribution.column())) {
      throw acrossShards("a unique key");
    }
  }

  private DdlRefusedException acrossShards(String what) {
    return new DdlRefusedException(
        "%s of table \"%s\" without its sharding column \"%s\" cannot be kept across shards"
            .formatted(what, table.name(), distribution.column()),
        "Add \"" + distribution.column() + "\" to the key.");
  }

  /**
   * {@code REFERENCES name [(columns)]} from a token on. Each shard checks it for itself: the row
   * that it refers to must be on the same shard, as it is in a reference table, or in a table that
   * is spread alike by the same columns.
   */
  private void foreignKey(List<String> columns, int references, int to) {
    text.moveTo(references + 1);
    Name name = text.path();
    if (name == null) {
      return;
    }
    boolean self = text.created(name).equals(table);
    Table found = text.table(name);
    Distribution target = self ? distribution : text.distribution(found);
    if (target.is(DistributionKind.UNKNOWN) || target.is(DistributionKind.REFERENCE)) {
      return;
    }
    if (distribution.shard() >= 0 && distribution.shard() == target.shard()) {
      return;
    }
    if (!distribution.is(DistributionKind.SHARDED) || !target.is(DistributionKind.SHARDED)) {
      if (!distribution.is(DistributionKind.UNKNOWN)) {
        throw crossing(name, "its rows are not on the same shards");
      }
      return;
    }
    if (!distributedAlike(target)) {
      throw crossing(name, "the two tables are spread by different rules");
    }
    int key = columns.indexOf(distribution.column());
    if (key < 0) {
      throw crossing(
          name, "the key does not hold the sharding column \"" + distribution.column() + "\"");
    }
    boolean named = text.at() < to && text.isSymbol(text.at(), "(");
    if (!named && columns.size() > 1) {
      throw new DdlRefusedException(
          "the foreign key on \"%s\" does not name the columns it refers to".formatted(name.name()),
          "Name them, so that the proxy sees that both rows are on one shard.");
    }
    // A key of one column refers to a primary key that is the sharding column: it has to hold it.
    if (named && text.columns(text.at()).indexOf(target.column()) != key) {
      throw crossing(name, "the sharding columns do not refer to each other");
    }
  }

  /** A table that is being created has no partitions yet: equal moduli are placed alike. */
  private boolean distributedAlike(Distribution target) {
    return distribution.rule() == null
        || target.rule() == null
        || distribution.rule().ofStored().equals(target.rule().ofStored());
  }

  private DdlRefusedException crossing(Name name, String reason) {
    return new DdlRefusedException(
        "the foreign key from \"%s\" to \"%s\" cannot be checked across shards: %s"
            .formatted(table.name(), name.name(), reason),
        "Leave the foreign key out, or let it hold the sharding columns of both tables.");
  }

  private void column(int from, int to) {
    String column = text.token(from).text();
    computed(column, from + 1, to);
    if (from + 1 < to && text.token(from + 1).isName()) {
      String type = SERIAL_TYPES.get(text.token(from + 1).text());
      if (type != null) {
        drawn.add(column);
        serial(from + 1, type);
      }
    }
    for (int i = from + 1; i < to; i++) {
      if (text.isSymbol(i, "(")) {
        i = text.afterParentheses(i) - 1;
      } else if (text.isWord(i, "primary") || text.isWord(i, "unique")) {
        unique(List.of(column));
      } else if (text.isWord(i, "references")) {
        foreignKey(List.of(column), i, to);
      } else if (text.isWord(i, "identity")) {
        drawn.add(column);
        identity(i, to);
      }
    }
  }

  private void serial(int type, String integer) {
    SequenceOptions options = SequenceOptions.read(text, type + 1, type + 1);
    edits.add(
        shard ->
            new TextEdits()
                .replace(
                    text.start(type),
                    text.end(type),
                    integer
                        + " generated by default as identity ("
                        + options.dealt(shard).strip()
                        + ")"));
  }

  /** GENERATED ... AS IDENTITY [(options)]. */
  void identity(int word, int to) {
    if (word + 1 < to && text.isSymbol(word + 1, "(")) {
      int close = text.afterParentheses(word + 1) - 1;
      SequenceOptions options = SequenceOptions.read(text, word + 2, close);
      edits.add(
          shard ->
              options.cuts().with(new TextEdits().insert(text.start(close), options.dealt(shard))));
    } else {
      SequenceOptions options = SequenceOptions.read(text, word + 1, word + 1);
      edits.add(
          shard ->
              new TextEdits().insert(text.end(word), " (" + options.dealt(shard).strip() + ")"));
    }
  }

  /** RESTART, SET INCREMENT BY and the like of an identity column. */
  void alterIdentity(int from, int to) {
    SequenceOptions options = SequenceOptions.read(text, from, to);
    if (!options.altersNumbers()) {
      return;
    }
    // Here every option but RESTART has a SET before it, which the cuts leave.
    throw new DdlRefusedException(
        "the identity column's sequence must be changed by its own name",
        "Use ALTER SEQUENCE; pg_get_serial_sequence returns the name.");
  }
}
