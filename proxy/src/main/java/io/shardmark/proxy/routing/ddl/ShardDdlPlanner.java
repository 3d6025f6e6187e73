package io.shardmark.proxy.routing.ddl;

import io.shardmark.proxy.routing.Access;
import io.shardmark.proxy.routing.DdlPlanner;
import io.shardmark.proxy.routing.ScatterStrategy;
import io.shardmark.proxy.routing.SessionEffect;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.routing.Target;
import io.shardmark.proxy.routing.Token;
import io.shardmark.proxy.shardmap.ShardMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The planner for DDL and maintenance. Where things live:
 *
 * <ul>
 *   <li>a table with PARTITION BY is on every shard, each partition on one: {@code WITH (shard =
 *       n)} says on which, otherwise its remainder modulo the number of shards, or its bound's
 *       text;
 *   <li>any other table is a reference table on every shard, {@code WITH (shard = all)} or not; it
 *       cannot have serial, identity or volatile defaults, which would differ between shards;
 *   <li>sequences are on every shard and share out their numbers ({@link SequenceOptions});
 *   <li>everything else is on every shard.
 * </ul>
 *
 * <p>Refused with 0A000, because no shard sees the others: unique keys without the sharding column,
 * foreign keys whose two rows may be on different shards, CREATE TABLE AS and materialized views
 * over sharded tables, tables that are attached as partitions. What runs on one shard only (DO,
 * LOAD) needs a route by hand.
 *
 * <p>A statement that names a partition goes to the partition's shard; in a list of tables each
 * shard is sent its own. The map may be older than the transaction that a statement stands in: a
 * name that it does not hold is taken for a table on every shard.
 *
 * <p>Every text in a plan is one statement, so it can be sent in either protocol.
 */
public final class ShardDdlPlanner implements DdlPlanner {
  private final Supplier<Map<String, String>> declared;

  /**
   * @param declared the configuration's sharding columns of tables that are not partitioned, by
   *     {@code table} or {@code schema.table}; asked for each plan, as a reload changes them
   */
  public ShardDdlPlanner(Supplier<Map<String, String>> declared) {
    this.declared = declared;
  }

  private DeclaredSharding declared() {
    return new DeclaredSharding(declared.get());
  }

  @Override
  public StatementPlan plan(String sql, List<Token> tokens, ShardMap map, List<String> searchPath) {
    DdlText text = new DdlText(sql, tokens, map, searchPath);
    if (text.atEnd()) {
      return new StatementPlan.Empty();
    }
    try {
      return plan(text);
    } catch (DdlRefusedException e) {
      return e.plan();
    }
  }

  private StatementPlan plan(DdlText text) {
    String verb = text.token(0).text();
    text.moveTo(1);
    return switch (verb) {
      case "create" -> create(text);
      case "alter" -> alter(text);
      case "drop" -> drop(text);
      case "select" -> setval(text);
      case "truncate", "lock", "analyze", "analyse", "vacuum", "reindex", "cluster", "refresh" ->
          new Maintenance(text).plan(verb);
      case "comment", "security" -> labelled(text);
      case "grant", "revoke" -> granted(text);
      case "checkpoint" -> text.everywhere(DdlKind.ALONE);
      case "import" -> text.everywhere(DdlKind.SCHEMA);
      case "reassign" -> text.everywhere(DdlKind.OTHER);
      case "load" -> oneShardOnly("LOAD", SessionEffect.PINS_CONNECTION);
      default -> oneShardOnly(verb.toUpperCase(Locale.ROOT));
    };
  }

  /** What is right on one shard only, which can be chosen by hand. */
  private static StatementPlan oneShardOnly(String what, SessionEffect... effects) {
    return new StatementPlan.Query(
        Access.WRITE,
        new Target.All(),
        new ScatterStrategy.Refuse(
            what + " over several shards is not supported",
            "Choose one with a comment, /* shardmark_shard: name */, or SET shardmark.shard."),
        Set.of(effects));
  }

  private StatementPlan setval(DdlText text) {
    StatementPlan plan = Sequences.setval(text);
    return plan != null ? plan : oneShardOnly("this call of setval");
  }

  private StatementPlan create(DdlText text) {
    text.accept("or", "replace");
    text.accept("unlogged");
    if (text.accept("table")) {
      return new CreateTable(text, declared()).plan();
    }
    if (text.accept("sequence")) {
      return Sequences.create(text);
    }
    if (text.isWord(text.at(), "unique") || text.isWord(text.at(), "index")) {
      return new CreateIndex(text).plan();
    }
    if (text.accept("materialized")) {
      return materializedView(text);
    }
    if (text.accept("view") || text.accept("recursive", "view")) {
      return view(text);
    }
    if (text.acceptAny("database", "tablespace", "subscription")) {
      return text.everywhere(DdlKind.ALONE);
    }
    StatementPlan onTable = onTableOfTrigger(text);
    if (onTable != null) {
      return onTable;
    }
    return text.acceptAny("role", "user", "group")
        ? RolePasswords.plan(text)
        : text.everywhere(DdlKind.SCHEMA);
  }

  /** What belongs to a table goes where the table is; null if it is something else. */
  private static @Nullable StatementPlan onTableOfTrigger(DdlText text) {
    boolean creates = text.isWord(0, "create");
    if (creates && text.accept("rule")) {
      return text.moveBehind("to") ? text.whereNamed(DdlKind.SCHEMA) : null;
    }
    text.accept("constraint");
    if (text.acceptAny("trigger", "policy", "rule")) {
      return text.moveBehind("on") ? text.whereNamed(DdlKind.SCHEMA) : null;
    }
    if (creates && text.accept("statistics")) {
      return text.moveBehind("from") ? text.whereNamed(DdlKind.OTHER) : null;
    }
    return null;
  }

  /** After VIEW; RENAME gives it another name. */
  private static StatementPlan view(DdlText text) {
    text.accept("if", "exists");
    text.changesNamed();
    if (text.accept("rename", "to")) {
      text.changes(text.name());
    }
    return text.everywhere(DdlKind.SCHEMA);
  }

  private static StatementPlan materializedView(DdlText text) {
    text.accept("view");
    text.accept("if", "not", "exists");
    text.changes(text.name());
    if (text.shards() > 1 && text.moveBehind("as")) {
      ReferenceQuery.check(text, text.at());
    }
    return text.everywhere(DdlKind.SCHEMA);
  }

  private StatementPlan alter(DdlText text) {
    if (text.accept("table")) {
      return text.accept("all")
          ? text.everywhere(DdlKind.OTHER)
          : new AlterTable(text, declared()).plan();
    }
    if (text.accept("sequence")) {
      return Sequences.alter(text);
    }
    if (text.accept("view") || text.accept("materialized", "view")) {
      return view(text);
    }
    if (text.accept("schema")) {
      text.changesSchemas();
      return text.everywhere(DdlKind.SCHEMA);
    }
    if (text.accept("index")) {
      text.accept("if", "exists");
      boolean all = text.isWord(text.at(), "all") && text.isWord(text.at() + 1, "in");
      int index = text.at();
      text.name();
      if (!text.accept("attach", "partition")) { // the index of a partition decides
        text.moveTo(index);
      }
      return all ? text.everywhere(DdlKind.OTHER) : text.whereNamed(DdlKind.OTHER);
    }
    StatementPlan onTable = onTableOfTrigger(text);
    if (onTable != null) {
      return onTable;
    }
    if (text.acceptAny("system", "subscription")) {
      return text.everywhere(DdlKind.ALONE);
    }
    if (text.accept("database")) {
      boolean alone = text.size() > 4 && text.isWord(4, "tablespace");
      return text.everywhere(alone ? DdlKind.ALONE : DdlKind.SCHEMA);
    }
    if (text.acceptAny("role", "user", "group")) {
      return RolePasswords.plan(text);
    }
    return text.everywhere(text.accept("default") ? DdlKind.OTHER : DdlKind.SCHEMA);
  }

  private StatementPlan drop(DdlText text) {
    if (text.accept("view") || text.accept("materialized", "view")) {
      return view(text);
    }
    if (text.accept("schema")) {
      text.accept("if", "exists");
      text.changesSchemas();
      return text.everywhere(DdlKind.SCHEMA);
    }
    if (text.acceptAny("table", "sequence") || text.accept("foreign", "table")) {
      text.accept("if", "exists");
      return NamedTables.read(text).plan(DdlKind.SCHEMA);
    }
    if (text.accept("index")) {
      DdlKind kind = text.accept("concurrently") ? DdlKind.ALONE : DdlKind.OTHER;
      text.accept("if", "exists");
      return NamedTables.read(text).plan(kind);
    }
    StatementPlan onTable = onTableOfTrigger(text);
    if (onTable != null) {
      return onTable;
    }
    if (text.acceptAny("database", "tablespace", "subscription")) {
      return text.everywhere(DdlKind.ALONE);
    }
    return text.everywhere(DdlKind.SCHEMA);
  }

  /** COMMENT ON, SECURITY LABEL: of a table or column it goes where the table is. */
  private static StatementPlan labelled(DdlText text) {
    text.onlyPlace();
    text.moveBehind("on");
    if (text.accept("table")) {
      return text.whereTableIs(text.tableHere(), DdlKind.OTHER);
    }
    if (text.accept("column")) {
      DdlText.Name column = text.name();
      return column == null
          ? text.everywhere(DdlKind.OTHER)
          : text.whereTableIs(text.table(tableOf(text, column)), DdlKind.OTHER);
    }
    if (text.acceptAny("index", "sequence", "view")) {
      return text.whereNamed(DdlKind.OTHER);
    }
    if (text.acceptAny("trigger", "constraint", "policy", "rule")
        && text.moveBehind("on")
        && !text.isWord(text.at(), "domain")) {
      return text.whereNamed(DdlKind.OTHER);
    }
    return text.everywhere(DdlKind.OTHER);
  }

  /** Of schema.table.column the table; the schema was read as the name before the last. */
  private static DdlText.Name tableOf(DdlText text, DdlText.Name column) {
    int last = text.at() - 1;
    String table = column.schema() == null ? column.name() : column.schema();
    boolean qualified = text.isSymbol(last - 3, ".");
    String schema = qualified ? text.token(last - 4).text() : null;
    return new DdlText.Name(schema, table, column.start(), column.end());
  }

  private static StatementPlan granted(DdlText text) {
    text.onlyPlace();
    return text.moveBehind("on") ? onTables(text) : text.everywhere(DdlKind.OTHER);
  }

  private static StatementPlan onTables(DdlText text) {
    boolean tables = text.accept("table");
    if (!tables
        && !text.isSymbol(text.at() + 1, ",")
        && !text.isSymbol(text.at() + 1, ".")
        && !text.isWord(text.at() + 1, "to")
        && !text.isWord(text.at() + 1, "from")) {
      return text.everywhere(DdlKind.OTHER); // another kind of object comes first
    }
    return NamedTables.read(text).plan(DdlKind.OTHER);
  }
}
