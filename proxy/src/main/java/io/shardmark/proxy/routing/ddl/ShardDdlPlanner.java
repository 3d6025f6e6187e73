package io.shardmark.proxy.routing.ddl;

import io.shardmark.proxy.routing.Access;
import io.shardmark.proxy.routing.DdlPlanner;
import io.shardmark.proxy.routing.ScatterStrategy;
import io.shardmark.proxy.routing.SessionEffect;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.shardmap.DeclaredSharding;
import io.shardmark.proxy.shardmap.ShardMap.NameSpace;
import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.shardmap.TableName;
import io.shardmark.proxy.sql.Name;
import io.shardmark.proxy.sql.Span;
import io.shardmark.proxy.sql.TableLookup;
import io.shardmark.proxy.sql.Target;
import io.shardmark.proxy.sql.Token;
import io.shardmark.proxy.sql.TokenRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The planner for DDL and maintenance. Where things live:
 *
 * <ul>
 *   <li>a table with PARTITION BY is on every shard, each partition on one: {@code WITH (shard =
 *       n)} says on which, otherwise its remainder modulo the number of shards, or its bound's
 *       text;
 *   <li>any other table is on one shard, {@code WITH (shard = n)}, or a reference table on every
 *       shard, {@code WITH (shard = all)}; the configuration decides if the text does not;
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
 * shard is sent its own. The map may be older than the transaction of a statement: a name that it
 * does not hold is taken for a table on every shard.
 *
 * <p>Every text in a plan is one statement, so it can be sent in either protocol.
 *
 * @param declared the configuration's sharding columns of tables that are not partitioned, by
 *     {@code table} or {@code schema.table}; asked for each plan, as a reload changes them
 * @param unsharded the configuration's {@code unsharded_tables}
 */
public record ShardDdlPlanner(Supplier<Map<String, String>> declared, Supplier<String> unsharded)
    implements DdlPlanner {
  private DeclaredSharding sharding() {
    return new DeclaredSharding(declared.get());
  }

  @Override
  public StatementPlan plan(String sql, List<Token> tokens, TableLookup tables) {
    DdlText text = new DdlText(new TokenRange(sql, tokens), tables);
    if (text.done()) {
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
      case "create", "alter", "drop" -> object(text, verb);
      case "select" -> setval(text);
      case "comment", "security" -> labelled(text);
      case "grant", "revoke" -> granted(text);
      case "truncate" -> {
        text.take("table");
        yield NamedTables.read(text).plan(DdlKind.OTHER);
      }
      case "lock" -> lock(text);
      case "vacuum", "analyze", "analyse" -> maintained(text);
      case "reindex" -> reindex(text);
      case "cluster" -> {
        options(text);
        yield text.done() ? text.everywhere(DdlKind.ALONE) : text.whereNamed(DdlKind.ALONE);
      }
      case "checkpoint" -> text.everywhere(DdlKind.ALONE);
      case "import" -> text.everywhere(DdlKind.SCHEMA);
      case "reassign" -> text.everywhere(DdlKind.OTHER);
      case "refresh" -> refresh(text);
      case "load" -> oneShardOnly("LOAD", SessionEffect.PINS_IF_EXECUTED);
      default -> oneShardOnly(verb.toUpperCase(Locale.ROOT));
    };
  }

  /** What is right on one shard only, which can be chosen by hand. */
  private static StatementPlan oneShardOnly(String what, SessionEffect... effects) {
    return new StatementPlan.QueryPlan(
        Access.WRITE,
        new Target.All(),
        new ScatterStrategy.RefuseScatter(
            what + " over several shards is not supported",
            "Choose one with a comment, /* shardmark_shard: name */, or SET shardmark.shard."),
        Set.of(effects));
  }

  private static StatementPlan setval(DdlText text) {
    StatementPlan plan = Sequences.setval(text);
    return plan != null ? plan : oneShardOnly("this call of setval");
  }

  /** CREATE, ALTER or DROP of something. */
  private StatementPlan object(DdlText text, String verb) {
    boolean creates = verb.equals("create");
    boolean alters = verb.equals("alter");
    text.take("or", "replace");
    text.take("unlogged");
    text.take("recursive");
    text.take("constraint");
    boolean materialized = text.take("materialized");
    if (verb.equals("drop")) {
      text.take("foreign");
    }
    String object = text.done() ? "" : text.token(text.at()).text();
    text.moveTo(text.at() + 1);
    return switch (object) {
      case "table" ->
          creates ? new CreateTable(text, sharding(), unsharded.get()).plan() : table(text, alters);
      case "sequence" ->
          creates
              ? Sequences.create(text)
              : alters ? Sequences.alter(text) : named(text, DdlKind.SCHEMA);
      case "unique" -> createIndex(text, text.take("index"));
      case "index" ->
          creates
              ? createIndex(text, false)
              : alters
                  ? alterIndex(text)
                  : named(text, text.take("concurrently") ? DdlKind.ALONE : DdlKind.OTHER);
      case "view" ->
          creates || alters ? view(text, creates, materialized) : named(text, DdlKind.SCHEMA);
      case "schema" -> {
        if (!creates) {
          text.take("if", "exists");
          text.changesSchemas();
        }
        yield text.everywhere(DdlKind.SCHEMA);
      }
      case "trigger" -> {
        if (creates) {
          checkTransitionTables(text);
        }
        yield onTable(text, "on", DdlKind.SCHEMA);
      }
      case "policy" -> onTable(text, "on", DdlKind.SCHEMA);
      case "rule" -> {
        int name = text.at();
        int shard = creates ? ReferenceQuery.onlyShard(text, name) : -1;
        if (shard >= 0 && text.moveBehind("to") && text.onlyShard(text.tableHere()) < 0) {
          text.refuseOneShard(shard);
        }
        text.moveTo(name);
        yield onTable(text, creates ? "to" : "on", DdlKind.SCHEMA);
      }
      case "publication", "foreign" -> {
        text.refuseOneShard(ReferenceQuery.onlyShard(text, text.at()));
        yield text.everywhere(DdlKind.SCHEMA);
      }
      case "statistics" -> creates ? createStatistics(text) : statistics(text, DdlKind.SCHEMA);
      case "database" -> {
        boolean settings = alters && !(text.end() > 4 && text.isWord(4, "tablespace"));
        yield text.everywhere(settings ? DdlKind.SCHEMA : DdlKind.ALONE);
      }
      case "tablespace" -> text.everywhere(alters ? DdlKind.SCHEMA : DdlKind.ALONE);
      case "subscription", "system" -> text.everywhere(DdlKind.ALONE);
      case "role", "user", "group" ->
          creates || alters ? RolePasswords.plan(text) : text.everywhere(DdlKind.SCHEMA);
      default ->
          text.everywhere(alters && object.equals("default") ? DdlKind.OTHER : DdlKind.SCHEMA);
    };
  }

  private StatementPlan table(DdlText text, boolean alters) {
    if (!alters) {
      return named(text, DdlKind.SCHEMA);
    }
    return text.take("all")
        ? text.everywhere(DdlKind.OTHER)
        : new AlterTable(text, sharding()).plan();
  }

  /** {@code [IF EXISTS] name, ...} */
  private static StatementPlan named(DdlText text, DdlKind kind) {
    text.take("if", "exists");
    return NamedTables.read(text).plan(kind);
  }

  /** {@code [IF EXISTS] name, ...} of extended statistics, which are where their table is. */
  private static StatementPlan statistics(DdlText text, DdlKind kind) {
    text.take("if", "exists");
    int start = text.at();
    StatementPlan renamed = ClaimedName.renamed(text, NameSpace.STATISTICS);
    text.moveTo(start);
    return renamed != null
        ? renamed
        : NamedTables.read(text, name -> text.onlyShard(NameSpace.STATISTICS, name)).plan(kind);
  }

  private static StatementPlan createStatistics(DdlText text) {
    final boolean ifMissing = text.take("if", "not", "exists");
    int place = text.at();
    Name name = text.isWord(place, "on") ? null : text.path();
    text.moveBehind("on");
    int on = text.at();
    text.moveBehind("from");
    int from = text.at();
    Table table = text.tableHere();
    int shard = text.onlyShard(table);
    text.moveTo(from);
    if (table != null && name == null && text.shards() > 1) {
      List<Span> parts = text.tokens().parts(on, from - 1);
      return new ChosenName(text, NameSpace.STATISTICS, table, place, parts).plan(DdlKind.SCHEMA);
    }
    if (name == null || table == null || text.shards() == 1) {
      return text.whereNamed(DdlKind.SCHEMA);
    }
    ClaimedName claimed = new ClaimedName(text, NameSpace.STATISTICS, text.created(name));
    return ifMissing
        ? claimed.madeIfMissing(shard, DdlKind.SCHEMA)
        : claimed.made(shard, DdlKind.SCHEMA);
  }

  /** What belongs to a table goes where the table is, which is named after that word. */
  private static StatementPlan onTable(DdlText text, String word, DdlKind kind) {
    return text.moveBehind(word) ? text.whereNamed(kind) : text.everywhere(DdlKind.SCHEMA);
  }

  /** Each shard would show the trigger the rows that it has changed itself. */
  private static void checkTransitionTables(DdlText text) {
    int name = text.at();
    Table table = text.moveBehind("on") ? text.tableHere() : null;
    if (text.distribution(table).is(Distribution.DistributionKind.SHARDED)
        && text.moveBehind("referencing")) {
      throw new DdlRefusedException(
          "a trigger on a sharded table cannot have transition tables: each shard has its own part"
              + " of the changed rows",
          "Use a trigger FOR EACH ROW.");
    }
    text.moveTo(name);
  }

  /** With CONCURRENTLY it works in a temporary table, and such a transaction is not prepared. */
  private static StatementPlan refresh(DdlText text) {
    text.take("materialized", "view");
    boolean concurrent = text.take("concurrently");
    Name view = text.path();
    int shard = view == null ? -1 : text.onlyShard(view);
    if (concurrent && shard < 0 && text.shards() > 1) {
      throw new DdlRefusedException(
          "REFRESH MATERIALIZED VIEW CONCURRENTLY over several shards is not supported",
          "Leave out CONCURRENTLY.");
    }
    return shard < 0
        ? text.everywhere(DdlKind.OTHER)
        : text.onShard(shard, text.sql(), DdlKind.OTHER);
  }

  private static StatementPlan createIndex(DdlText text, boolean unique) {
    DdlKind kind = text.take("concurrently") ? DdlKind.ALONE : DdlKind.OTHER;
    final boolean ifMissing = text.take("if", "not", "exists");
    int start = text.at();
    Name index = text.isWord(start, "on") ? null : text.path();
    text.take("on");
    text.take("only");
    Name name = text.path();
    if (name == null || text.shards() == 1) {
      return text.everywhere(kind);
    }
    if (!unique) {
      text.onlyPlace();
    }
    Table table = text.table(name);
    int open = text.take("using") ? text.at() + 1 : text.at();
    List<Span> parts = new ArrayList<>(text.isSymbol(open, "(") ? text.parts(open) : List.of());
    if (unique && table != null && !parts.isEmpty()) {
      List<String> columns =
          parts.stream()
              .filter(part -> !text.isSymbol(part.from() + 1, "(")) // a function of columns
              .map(part -> text.token(part.from()).text())
              .toList();
      new TableElements(text, table.name(), text.distribution(table)).unique(columns);
    }
    int shard = text.onlyShard(table);
    if (table == null) {
      return text.everywhere(kind);
    }
    // An index that the other shards do not have; without a transaction they cannot keep its name.
    if (shard >= 0 && !kind.transactional()) {
      return text.onShard(shard, text.sql(), DdlKind.SCHEMA_ALONE);
    }
    if (index != null) {
      TableName made = new TableName(table.name().schema(), index.name());
      ClaimedName claimed = new ClaimedName(text, NameSpace.RELATIONS, made);
      // One without a transaction may have failed on a shard, and is made there now.
      return ifMissing && kind.transactional()
          ? claimed.madeIfMissing(shard, kind)
          : claimed.made(shard, kind);
    }
    text.moveTo(text.afterParentheses(open));
    if (text.take("include")) {
      parts.addAll(text.parts(text.at()));
    }
    return new ChosenName(text, NameSpace.RELATIONS, table, start, parts).plan(kind);
  }

  private static StatementPlan alterIndex(DdlText text) {
    text.take("if", "exists");
    if (text.take("all", "in")) {
      return text.everywhere(DdlKind.OTHER);
    }
    int start = text.at();
    StatementPlan renamed = ClaimedName.renamed(text, NameSpace.RELATIONS);
    if (renamed != null) {
      return renamed;
    }
    if (!text.take("attach", "partition")) { // the index of a partition decides
      text.moveTo(start);
    }
    return text.whereNamed(DdlKind.OTHER);
  }

  /** RENAME gives it another name; a new materialized view has other rows. */
  private static StatementPlan view(DdlText text, boolean creates, boolean materialized) {
    final boolean ifMissing = text.take("if", "not", "exists");
    text.take("if", "exists");
    int name = text.at();
    Name view = text.path();
    text.changes(view);
    if (!creates) {
      text.moveTo(name);
      StatementPlan renamed = ClaimedName.renamed(text, NameSpace.RELATIONS);
      text.moveTo(name);
      return renamed == null ? text.whereNamed(DdlKind.SCHEMA) : renamed;
    }
    boolean isQuery = text.shards() > 1 && text.moveBehind("as");
    int shard = isQuery ? ReferenceQuery.onlyShard(text, text.at()) : -1;
    if (!isQuery || view == null) {
      return text.everywhere(DdlKind.SCHEMA);
    }
    if (shard < 0 && materialized) {
      ReferenceQuery.check(text, text.at());
    }
    ClaimedName claimed = new ClaimedName(text, NameSpace.RELATIONS, text.created(view));
    return ifMissing
        ? claimed.madeIfMissing(shard, DdlKind.SCHEMA)
        : claimed.made(shard, DdlKind.SCHEMA);
  }

  /** COMMENT ON, SECURITY LABEL: of a table, or what belongs to one, it goes where the table is. */
  private static StatementPlan labelled(DdlText text) {
    text.onlyPlace();
    text.moveBehind("on");
    if (text.take("statistics")) {
      return statistics(text, DdlKind.OTHER);
    }
    boolean column = text.take("column");
    if (column || text.takeAny("table", "index", "sequence", "view")) {
      Name name = text.path();
      return name == null
          ? text.everywhere(DdlKind.OTHER)
          : text.where(column ? name.owner() : name, DdlKind.OTHER);
    }
    boolean ofTable =
        text.takeAny("trigger", "constraint", "policy", "rule")
            && text.moveBehind("on")
            && !text.isWord(text.at(), "domain");
    return ofTable ? text.whereNamed(DdlKind.OTHER) : text.everywhere(DdlKind.OTHER);
  }

  private static StatementPlan granted(DdlText text) {
    text.onlyPlace();
    if (!text.moveBehind("on")) {
      return text.everywhere(DdlKind.OTHER);
    }
    int next = text.at() + 1;
    boolean tables =
        text.takeAny("table", "sequence")
            || text.isSymbol(next, ",")
            || text.isSymbol(next, ".")
            || text.isWord(next, "to")
            || text.isWord(next, "from");
    // Otherwise another kind of object comes first.
    return tables ? NamedTables.read(text).plan(DdlKind.OTHER) : text.everywhere(DdlKind.OTHER);
  }

  // ---- maintenance

  /** {@code (VERBOSE, ...)} or the words of older releases. */
  private static void options(DdlText text) {
    if (text.isSymbol(text.at(), "(")) {
      text.moveTo(text.afterParentheses(text.at()));
    }
    while (text.takeAny("full", "freeze", "verbose", "analyze", "analyse")) {
      // nothing depends on them
    }
  }

  /** A server does both table by table, and keeps no lock of one for the next. */
  private static StatementPlan maintained(DdlText text) {
    options(text);
    return text.done()
        ? text.everywhere(DdlKind.ALONE)
        : NamedTables.read(text).plan(DdlKind.ALONE);
  }

  /** Leaves nothing that would have to be made atomic, so it is no DDL to the transaction. */
  private static StatementPlan lock(DdlText text) {
    text.take("table");
    List<Integer> shards = NamedTables.read(text).shards();
    if (shards.isEmpty()) {
      return StatementPlan.QueryPlan.anywhere(Access.READ); // which says what is wrong
    }
    if (shards.size() > 1) {
      throw new DdlRefusedException(
          "LOCK names tables of different shards", "Lock each table in a separate statement.");
    }
    int shard = shards.get(0);
    Target target = shard < 0 ? new Target.All() : new Target.Fixed(shard);
    return new StatementPlan.QueryPlan(Access.LOCK, target, new ScatterStrategy.Same(), Set.of());
  }

  private static StatementPlan reindex(DdlText text) {
    options(text);
    boolean named = text.takeAny("table", "index");
    text.take("concurrently");
    return named ? text.whereNamed(DdlKind.ALONE) : text.everywhere(DdlKind.ALONE);
  }
}
