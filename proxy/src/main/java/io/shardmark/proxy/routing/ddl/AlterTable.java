package io.shardmark.proxy.routing.ddl;

import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.shardmap.DeclaredSharding;
import io.shardmark.proxy.shardmap.ShardMap.NameSpace;
import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.shardmap.TableName;
import io.shardmark.proxy.sql.Name;
import io.shardmark.proxy.sql.Span;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** ALTER TABLE: on every shard, or on the one that a partition lives on. */
record AlterTable(DdlText text, DeclaredSharding declared) {
  /** Actions after which a route is what it was. */
  private static final Set<String> HARMLESS =
      Set.of("add owner validate cluster enable disable force replica".split(" ", -1));

  /** After ALTER TABLE. */
  StatementPlan plan() {
    final boolean mayBeMissing = text.take("if", "exists");
    text.take("only");
    int start = text.at();
    Name name = text.path();
    if (name == null || text.shards() == 1) {
      text.take("*");
      if (name != null && isStorage(text.at())) {
        return onPartitions(
            "pg_catalog.to_regclass(%s)"
                .formatted(literal(text.sql().substring(name.start(), name.end()))),
            text.at());
      }
      boolean concurrent = name != null && text.take("detach", "partition") && isConcurrent();
      return text.everywhere(concurrent ? DdlKind.SCHEMA_ALONE : DdlKind.SCHEMA);
    }
    text.take("*");
    int first = text.at();
    if (!isHarmless(first)) {
      text.changes(name);
    }
    Table table = text.table(name);
    TableName altered = table == null ? text.created(name) : table.name();
    text.moveTo(start);
    StatementPlan renamed = ClaimedName.renamed(text, NameSpace.RELATIONS);
    text.moveTo(first);
    if (renamed != null) {
      return renamed;
    }
    if (text.isWord(first, "set") && text.isSymbol(first + 1, "(")) {
      DdlPlacement placement = new DdlPlacement(text);
      int end = placement.options(first);
      Integer shard = placement.shard();
      if (shard != null) {
        return move(table, shard, end == text.end() && text.parts(first + 1).size() == 1);
      }
    }
    if (text.isWord(first, "attach") || text.isWord(first, "detach")) {
      return partition(table);
    }
    if (text.isWord(first, "owner") && text.tokens().parts(first, text.end()).size() == 1) {
      text.onlyPlace();
      return text.whereTableIs(table, DdlKind.SCHEMA);
    }
    TableElements elements = new TableElements(text, altered, text.distribution(table));
    for (Span part : text.tokens().parts(first, text.end())) {
      action(elements, altered, part);
    }
    refill(elements, altered, table, mayBeMissing);
    if (isPartitioned(table) && isStorage(first)) {
      return onPartitions(literal(altered.quoted()), first);
    }
    int shard = text.onlyShard(table);
    return text.perShard(
        i -> shard < 0 || shard == i ? elements.edits(i).apply(text.sql()) : null, DdlKind.SCHEMA);
  }

  private StatementPlan move(@Nullable Table table, int shard, boolean alone) {
    int on = text.onlyShard(table);
    if (table == null || on < 0 || shard == DdlPlacement.ALL || !alone) {
      throw new DdlRefusedException(
          "SET (shard = ...) moves one partition to one shard, and stands alone",
          "SHOW SHARD MAP lists the partitions.");
    }
    return new StatementPlan.MovePartition(table.name(), on, text.shardNames().get(shard));
  }

  /** After the words DETACH PARTITION. */
  private boolean isConcurrent() {
    return text.path() != null && text.take("concurrently");
  }

  /** A table that the map does not have yet, or on some shards only, may be on every shard. */
  private void refill(
      TableElements elements, TableName name, @Nullable Table table, boolean mayBeMissing) {
    Distribution spread = text.distribution(table);
    boolean copied =
        spread.is(Distribution.DistributionKind.REFERENCE)
            || spread.is(Distribution.DistributionKind.UNKNOWN);
    if (elements.drawn().isEmpty() || !copied) {
      return;
    }
    if (table == null && mayBeMissing) {
      throw new DdlRefusedException(
          "table \"" + name.name() + "\" is not known to the proxy", "Leave out IF EXISTS.");
    }
    text.refills(name, elements.drawn().stream().distinct().toList());
  }

  private boolean isHarmless(int first) {
    if (!text.take("alter")) {
      // ENABLE and DISABLE TRIGGER and RULE say what a change sets off.
      return first < text.end()
          && HARMLESS.contains(text.token(first).text())
          && Stream.of("trigger", "rule", "always", "replica")
              .noneMatch(word -> text.isWord(first + 1, word));
    }
    text.take("column");
    text.moveTo(text.at() + 1);
    return text.take("set", "not", "null")
        || text.take("drop", "not", "null")
        || text.take("set", "statistics")
        || text.take("set", "storage");
  }

  private void action(TableElements elements, TableName table, Span part) {
    text.moveTo(part.from());
    if (text.take("add")) {
      text.take("column");
      text.take("if", "not", "exists");
      elements.element(text.at(), part.to());
    } else if (text.take("alter")) {
      text.take("column");
      alterColumn(elements, table, part.to());
    } else if (text.take("drop")) {
      text.take("column");
      text.take("if", "exists");
      keepShardingColumn(table, text.at(), "dropped");
    }
  }

  private void alterColumn(TableElements elements, TableName table, int to) {
    int position = text.at();
    text.moveTo(position + 1);
    if (text.take("add", "generated")) {
      for (int i = text.at(); i < to; i++) {
        if (text.isWord(i, "identity")) {
          elements.identity(i, to);
          return;
        }
      }
    } else if (text.isWord(text.at(), "type")
        || (text.isWord(text.at(), "set") && text.isWord(text.at() + 1, "data"))) {
      keepShardingColumn(table, position, "given another type");
      elements.computed(text.token(position).text(), text.at(), to);
    } else if (text.isWord(text.at(), "restart") || text.isWord(text.at(), "set")) {
      elements.alterIdentity(text.at(), to);
    }
  }

  /** Of a partitioned table PostgreSQL keeps it. */
  private void keepShardingColumn(TableName table, int position, String verb) {
    if (position < text.end()
        && declared.column(table).equals(Optional.of(text.token(position).text()))) {
      throw new DdlRefusedException(
          "column \"%s\" spreads table \"%s\" over the shards and cannot be %s"
              .formatted(text.token(position).text(), table.name(), verb),
          "Make a new table and move the rows.");
    }
  }

  private boolean isPartitioned(@Nullable Table table) {
    return table != null
        && table.sharding() instanceof Sharding.ByColumn
        && declared.nameOf(table.name()).isEmpty();
  }

  private boolean isStorage(int first) {
    return (text.isWord(first, "set") || text.isWord(first, "reset"))
        && text.isSymbol(first + 1, "(")
        && text.afterParentheses(first + 1) == text.end();
  }

  /**
   * PostgreSQL gives storage parameters to partitions only. Who makes a sharded table of one that
   * was not keeps the statement that sets them: here it means the partitions that each shard has.
   * With one shard the map may not show yet whether the table is one, so the server is asked.
   *
   * @param table an expression of type regclass
   */
  private StatementPlan onPartitions(String table, int action) {
    String options = text.text(action, text.end());
    String block =
        """
        do $shardmark$ declare leaf regclass; begin \
        if (select relkind from pg_catalog.pg_class where oid = %1$s::regclass) \
        is distinct from 'p' then execute %3$s; end if; \
        for leaf in select relid from pg_catalog.pg_partition_tree(%1$s) \
        where isleaf and level > 0 loop \
        execute pg_catalog.format('alter table %%s %%s', leaf, %2$s); end loop; end $shardmark$\
        """
            .formatted(table, literal(options), literal(text.sql()));
    return text.everywhere(block, DdlKind.SCHEMA);
  }

  private static String literal(String value) {
    return "'" + value.replace("'", "''") + "'";
  }

  /** ATTACH and DETACH concern the shard that the partition is on. */
  private StatementPlan partition(@Nullable Table parent) {
    boolean attach = text.take("attach");
    if (!attach) {
      text.take("detach");
    }
    text.take("partition");
    Name name = text.path();
    text.changes(name);
    Table partition = name == null ? null : text.table(name);
    int shard = text.onlyShard(partition);
    DdlKind kind = text.isWord(text.at(), "concurrently") ? DdlKind.SCHEMA_ALONE : DdlKind.SCHEMA;
    if (name == null || partition == null) {
      return text.whereTableIs(parent, kind);
    }
    if (!attach) {
      return shard < 0
          ? text.everywhere(kind)
          : text.onShard(shard, detached(parent, name, kind), kind);
    }
    return shard < 0
        ? attachCopy(parent, name, partition, kind)
        : attachTable(parent, name, shard, kind);
  }

  /** A table of one shard becomes a partition there and needs its mark no more. */
  private StatementPlan attachTable(@Nullable Table parent, Name name, int shard, DdlKind kind) {
    String sql =
        text.sql()
            + "\n; alter table %s drop constraint if exists %s"
                .formatted(written(name), TableName.quoted(Sharding.ONE_SHARD_MARK));
    if (parent == null || text.onlyShard(parent) >= 0) {
      return text.onShard(shard, sql, kind);
    }
    String trial =
        "create table %s partition of %s %s"
            .formatted(
                written(name), parent.name().quoted(), text.sql().substring(text.start(text.at())));
    return text.partitionOn(shard, sql, trial, "", kind);
  }

  /**
   * What has been a partition is a table of one shard from then on. A partition of such a table has
   * its mark already.
   */
  private String detached(@Nullable Table parent, Name name, DdlKind kind) {
    boolean marked =
        parent != null && parent.sharding() instanceof Sharding.OnShard on && on.whole();
    return kind.transactional() && !marked
        ? text.sql() + CreateTable.mark(written(name))
        : text.sql();
  }

  private String written(Name name) {
    return text.sql().substring(name.start(), name.end());
  }

  /**
   * A table that is on every shard becomes the partition of one: the others' copies, which have the
   * same rows, are dropped. So a dump can be read that makes partitions as tables first.
   */
  private StatementPlan attachCopy(
      @Nullable Table parent, Name name, Table partition, DdlKind kind) {
    boolean spread =
        parent != null
            && (isPartitioned(parent) || text.isBare(parent) || text.onlyShard(parent) >= 0);
    if (!spread || !(partition.sharding() instanceof Sharding.Reference)) {
      throw new DdlRefusedException(
          "table \""
              + partition.name().name()
              + "\" is on every shard and cannot become a partition",
          "Create it with PARTITION OF, and fill it with INSERT or COPY.");
    }
    int ofParent = text.onlyShard(parent);
    int shard = ofParent < 0 ? DdlPlacement.ofBound(text, text.at()) : ofParent;
    String others = "drop table " + written(name);
    return ofParent < 0
        ? text.partitionOn(shard, text.sql(), text.sql(), others, kind)
        : text.perShard(i -> i == shard ? text.sql() : others, kind, shard);
  }
}
