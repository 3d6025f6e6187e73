package io.shardmark.proxy.growth;

import java.util.List;

/** What makes the tables of moves and additions, for tests that need them before an order. */
public final class GrowthTables {
  public static final List<String> CREATE = List.of(AdditionSql.CREATE_TABLE, MoveSql.CREATE_TABLE);

  private GrowthTables() {}
}
