package io.shardmark.proxy.routing.ddl;

import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.shardmap.ShardMap.NameSpace;
import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.shardmap.TableName;
import io.shardmark.proxy.sql.Name;
import io.shardmark.proxy.sql.Span;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What is made without a name gets one as a server would choose it for an index: of table and
 * columns, with a number if that is taken (PG18 sql-createindex). Each server knows its own names
 * only, and what is on all shards has one name.
 *
 * @param place where the statement would have a name
 * @param parts columns and expressions
 */
record ChosenName(DdlText text, NameSpace space, Table table, int place, List<Span> parts) {
  /** NAMEDATALEN - 1 (PG18 §4.1.1 sql-syntax-identifiers). */
  private static final int MAX_BYTES = 63;

  /**
   * @param kind of the statement where all shards have the table
   */
  StatementPlan plan(DdlKind kind) {
    String columns = columns();
    String label = space == NameSpace.RELATIONS ? "_idx" : "_stat";
    ClaimedName first = candidate(columns, label);
    ClaimedName free = first;
    for (int number = 1; text.placeOf(space, free.name()) != null; number++) {
      free = candidate(columns, label + number);
    }
    int shard = text.onlyShard(table);
    if (shard < 0 && free.equals(first)) {
      return text.everywhere(kind); // where each server chooses that
    }
    String name = TableName.quoted(free.name().name()) + " ";
    String sql = new TextEdits().insert(text.start(place), name).apply(text.sql());
    return shard < 0 ? text.everywhere(sql, kind) : free.on(shard, sql);
  }

  private ClaimedName candidate(String columns, String label) {
    String name = fitting(table.name().name(), columns, label);
    return new ClaimedName(text, space, new TableName(table.name().schema(), name));
  }

  /** As PostgreSQL's makeObjectName: the longer one of the first two is cut. */
  private static String fitting(String table, String columns, String label) {
    String first = table;
    String second = columns;
    while (bytes(first) + bytes(second) + bytes(label) > MAX_BYTES) {
      if (bytes(first) >= bytes(second)) {
        first = first.substring(0, first.offsetByCodePoints(first.length(), -1));
      } else {
        second = second.substring(0, second.offsetByCodePoints(second.length(), -1));
      }
    }
    return first + second + label;
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  /** Each after an underscore; one that comes again with a number. */
  private String columns() {
    List<String> columns = new ArrayList<>();
    for (Span part : parts) {
      String column = column(part);
      String unlike = column;
      for (int number = 1; columns.contains(unlike); number++) {
        unlike = column + number;
      }
      columns.add(unlike);
    }
    return "_" + String.join("_", columns);
  }

  /** A column's name, or a function's; else {@code expr}. */
  private String column(Span part) {
    Span stripped = text.tokens().stripped(part);
    text.moveTo(stripped.from());
    Name name = text.path();
    if (text.isSymbol(text.at(), "(")) {
      text.moveTo(text.afterParentheses(text.at()));
    }
    // Without parentheses around it an operator class may follow.
    boolean whole = stripped.equals(part) || text.at() == stripped.to();
    return name != null && whole ? name.name() : "expr";
  }
}
