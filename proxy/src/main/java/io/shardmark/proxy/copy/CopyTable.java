package io.shardmark.proxy.copy;

import io.shardmark.proxy.execution.CapturedAnswer;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendType;
import io.shardmark.proxy.protocol.Message;
import io.shardmark.proxy.protocol.TextRow;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a server says of the table of a COPY: which columns it copies, and of what kind it is. */
final class CopyTable extends CapturedAnswer {
  private final List<@Nullable String> names = new ArrayList<>();

  /** The names as a statement has them. */
  private final List<@Nullable String> columns = new ArrayList<>();

  private boolean partitioned;

  /**
   * The question.
   *
   * @param table as a statement would name it
   */
  static String query(String table) {
    return "select a.attname, pg_catalog.quote_ident(a.attname), c.relkind = 'p'"
        + " from pg_catalog.pg_class c join pg_catalog.pg_attribute a on a.attrelid = c.oid"
        + " and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''"
        + " where c.oid = '"
        + table.replace("'", "''")
        + "'::pg_catalog.regclass order by a.attnum";
  }

  @Override
  public void message(ServerConnection server, Message message) {
    if (message.type() == BackendType.DATA_ROW) {
      List<@Nullable String> row = TextRow.read(message);
      names.add(row.get(0));
      columns.add(row.get(1));
      partitioned = "t".equals(row.get(2));
    } else {
      super.message(server, message);
    }
  }

  /** Whether it is a partitioned table, which COPY TO refuses by its name. */
  boolean isPartitioned() {
    return partitioned;
  }

  /** The columns that COPY means if the statement names none: all but generated ones. */
  String columnList() {
    return String.join(", ", columns);
  }

  /** The place of a column among those, from 0, or -1. */
  int indexOf(@Nullable String column) {
    return names.indexOf(column);
  }
}
