package io.shardmark.proxy.catalog;

import io.shardmark.proxy.catalog.CatalogTable.CatalogColumn;
import io.shardmark.proxy.shardmap.Column;
import io.shardmark.proxy.shardmap.Column.Filling;
import io.shardmark.proxy.shardmap.RowChange;
import io.shardmark.proxy.shardmap.TableName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A table over the shards that have it: what one of them doubts is in doubt.
 *
 * @param shards names of all
 * @param on by shard index; not empty
 */
record TablePresence(TableName name, List<String> shards, TreeMap<Integer, CatalogTable> on) {
  CatalogTable first() {
    return on.firstEntry().getValue();
  }

  Collection<CatalogTable> copies() {
    return on.values();
  }

  boolean isPartition() {
    return copies().stream().anyMatch(table -> table.parent().isPresent());
  }

  boolean isView() {
    return first().kind() == CatalogTable.TableKind.VIEW
        || first().kind() == CatalogTable.TableKind.MATERIALIZED_VIEW;
  }

  /** Whether its partitions have the same bound everywhere. */
  boolean hasOneBound() {
    return copies().stream().map(CatalogTable::bound).distinct().count() == 1;
  }

  Optional<CatalogColumn> column(String column) {
    return first().columns().stream().filter(c -> c.column().name().equals(column)).findFirst();
  }

  /** The columns as the first one has them; the others may be of other number if they differ. */
  List<Column> columns() {
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < first().columns().size(); i++) {
      CatalogColumn first = first().columns().get(i);
      boolean byteOrdered = true;
      Filling filling = first.column().filling();
      for (CatalogTable copy : copies()) {
        CatalogColumn other = i < copy.columns().size() ? copy.columns().get(i) : first;
        byteOrdered &= other.column().byteOrdered();
        if (other.column().filling() == Filling.MAY_WRITE) {
          filling = Filling.MAY_WRITE;
        } else if (filling != Filling.MAY_WRITE
            && (other.column().filling() != filling
                || !other.defaultText().equals(first.defaultText()))) {
          filling = Filling.MAY_DIFFER;
        }
      }
      Column column = first.column();
      columns.add(new Column(column.name(), column.typeOid(), byteOrdered, filling));
    }
    return columns;
  }

  Set<RowChange> reactions() {
    Set<RowChange> reactions = EnumSet.noneOf(RowChange.class);
    copies().forEach(copy -> reactions.addAll(copy.reactions()));
    return reactions;
  }

  String onShards() {
    return on.keySet().stream()
        .map(shards::get)
        .collect(Collectors.joining(", ", on.size() == 1 ? "on shard " : "on shards ", ""));
  }

  /** The same kind, columns and partition key everywhere. */
  void checkAlike() throws UnroutableException {
    CatalogTable first = first();
    for (Map.Entry<Integer, CatalogTable> entry : on.entrySet()) {
      CatalogTable other = entry.getValue();
      String where = " on shard " + shards.get(on.firstKey()) + " and ";
      String there = " on shard " + shards.get(entry.getKey());
      if (other.kind() != first.kind()) {
        throw new UnroutableException(
            "is a " + first.kind().word() + where + "a " + other.kind().word() + there);
      }
      if (!described(other).equals(described(first))) {
        throw new UnroutableException(
            "has columns that differ: " + difference(first, other) + where + "not so" + there);
      }
      if (!other.key().equals(first.key())) {
        throw new UnroutableException("has a partition key that differs" + where + there.strip());
      }
    }
  }

  private static List<String> described(CatalogTable table) {
    return table.columns().stream().map(CatalogColumn::described).toList();
  }

  private static String difference(CatalogTable first, CatalogTable other) {
    List<String> here = described(first);
    List<String> there = described(other);
    for (int i = 0; i < here.size(); i++) {
      if (i >= there.size() || !here.get(i).equals(there.get(i))) {
        return here.get(i);
      }
    }
    return here.size() + " columns";
  }
}
