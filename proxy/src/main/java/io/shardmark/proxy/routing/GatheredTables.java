package io.shardmark.proxy.routing;

import java.util.ArrayList;
import java.util.List;

/**
 * A client's query with rows in the place of its sharded tables: one server computes it as if it
 * had all of them.
 *
 * @param pieces of the client's text, one more than there are tables
 */
public record GatheredTables(List<String> pieces, List<GatheredTableRows> tables)
    implements LastStatement {
  /**
   * The relation in place of a table.
   *
   * @param noRows a query on the table itself, for the types and collations of its columns
   * @param alias with the names of the columns
   * @param typeOids of the columns; empty for the one set that the shards' answers describe
   */
  record GatheredTableRows(String noRows, String alias, List<Integer> typeOids) {
    GatheredTableRows {
      typeOids = List.copyOf(typeOids);
    }
  }

  public GatheredTables {
    pieces = List.copyOf(pieces);
    tables = List.copyOf(tables);
  }

  @Override
  public List<List<Integer>> typeOids() {
    return tables.stream()
        .map(GatheredTableRows::typeOids)
        .filter(types -> !types.isEmpty())
        .toList();
  }

  @Override
  public String text(List<List<String>> types, List<List<String>> values, List<String> names) {
    List<String> all = new ArrayList<>();
    all.add(pieces.get(0));
    for (int i = 0; i < tables.size(); i++) {
      GatheredTableRows table = tables.get(i);
      String rows = RowSource.query(table.noRows(), types.get(i), values.get(i));
      all.add("(" + rows + ") AS " + table.alias());
      all.add(pieces.get(i + 1));
    }
    return String.join("", all);
  }
}
