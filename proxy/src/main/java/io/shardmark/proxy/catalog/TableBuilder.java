package io.shardmark.proxy.catalog;

import io.shardmark.proxy.catalog.CatalogTable.CatalogColumn;
import io.shardmark.proxy.shardmap.Column;
import io.shardmark.proxy.shardmap.Column.Filling;
import io.shardmark.proxy.shardmap.RowChange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Puts together what several shards say about one table: what one of them doubts is in doubt. */
final class TableBuilder {
  private TableBuilder() {}

  /** The columns as the first one has them; the others may be of other number if they differ. */
  static List<Column> columns(Collection<CatalogTable> copies) {
    List<Column> columns = new ArrayList<>();
    List<CatalogColumn> first = copies.iterator().next().columns();
    for (int i = 0; i < first.size(); i++) {
      columns.add(column(first.get(i), i, copies));
    }
    return columns;
  }

  private static Column column(CatalogColumn first, int index, Collection<CatalogTable> copies) {
    Column column = first.column();
    boolean byteOrdered = true;
    Filling filling = Filling.SAME;
    for (CatalogTable copy : copies) {
      if (index >= copy.columns().size()) {
        continue;
      }
      CatalogColumn other = copy.columns().get(index);
      byteOrdered &= other.column().byteOrdered();
      if (other.column().filling() == Filling.MAY_DIFFER
          || !Objects.equals(other.defaultText(), first.defaultText())) {
        filling = Filling.MAY_DIFFER;
      }
    }
    return new Column(column.name(), column.typeOid(), byteOrdered, filling);
  }

  static Set<RowChange> reactions(Collection<CatalogTable> copies) {
    Set<RowChange> reactions = EnumSet.noneOf(RowChange.class);
    copies.forEach(copy -> reactions.addAll(copy.reactions()));
    return reactions;
  }
}
