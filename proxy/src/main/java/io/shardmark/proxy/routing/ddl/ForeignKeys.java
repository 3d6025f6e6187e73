package io.shardmark.proxy.routing.ddl;

import io.shardmark.proxy.routing.Name;
import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.shardmap.TableName;
import java.util.List;

/**
 * A foreign key is checked by each shard for itself: the row that it refers to must be on the same
 * shard, as it is in a reference table, or in a table that is spread alike by the same columns.
 */
final class ForeignKeys {
  private final DdlText text;
  private final TableName table;
  private final Distribution distribution;

  ForeignKeys(DdlText text, TableName table, Distribution distribution) {
    this.text = text;
    this.table = table;
    this.distribution = distribution;
  }

  /** {@code REFERENCES name [(columns)]} from this token on. */
  void check(List<String> columns, int references, int to) {
    text.moveTo(references + 1);
    Name name = text.path();
    if (name == null) {
      return;
    }
    boolean self = text.created(name).equals(table);
    Table found = text.table(name);
    Distribution target = self ? distribution : text.distribution(found);
    if (target.is(Distribution.Kind.UNKNOWN) || target.is(Distribution.Kind.REFERENCE)) {
      return;
    }
    if (!distribution.is(Distribution.Kind.SHARDED) || !target.is(Distribution.Kind.SHARDED)) {
      if (!distribution.is(Distribution.Kind.UNKNOWN)) {
        throw refused(name, "its rows are not on the same shards");
      }
      return;
    }
    if (!distributedAlike(target)) {
      throw refused(name, "the two tables are spread by different rules");
    }
    int key = columns.indexOf(distribution.column());
    if (key < 0) {
      throw refused(
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
      throw refused(name, "the sharding columns do not refer to each other");
    }
  }

  /** A table that is being created has no partitions yet: equal moduli are placed alike. */
  private boolean distributedAlike(Distribution target) {
    return distribution.rule() == null
        || target.rule() == null
        || distribution.rule().ofStored().equals(target.rule().ofStored());
  }

  private DdlRefusedException refused(Name name, String reason) {
    return new DdlRefusedException(
        "the foreign key from \"%s\" to \"%s\" cannot be checked across shards: %s"
            .formatted(table.name(), name.name(), reason),
        "Leave the foreign key out, or let it hold the sharding columns of both tables.");
  }
}
