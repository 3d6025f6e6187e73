package io.shardmark.proxy.copy;

import io.shardmark.proxy.execution.CapturedAnswer;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.Step;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendType;
import io.shardmark.proxy.protocol.Message;
import io.shardmark.proxy.protocol.TextRow;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks a shard which columns of a table a COPY copies, and of what kind it is. */
final class CopyTable implements Step {
  private final Execution execution;
  private final String name;
  private final int shard;
  private final Answer answer = new Answer();
  private boolean asked;
  private final List<@Nullable String> names = new ArrayList<>();

  /** The names as a statement has them. */
  private final List<@Nullable String> columns = new ArrayList<>();

  private boolean partitioned;

  /**
   * @param name as the client wrote it
   */
  CopyTable(Execution execution, String name, int shard) {
    this.execution = execution;
    this.name = name;
    this.shard = shard;
  }

  @Override
  public boolean advance() {
    if (!asked) {
      ServerConnection free = execution.participants().require(shard);
      if (free == null) {
        return false;
      }
      asked = true;
      free.query(question(), answer);
      free.flush();
    }
    return answer.hasSucceeded();
  }

  private String question() {
    return "select a.attname, pg_catalog.quote_ident(a.attname), c.relkind = 'p'"
        + " from pg_catalog.pg_class c join pg_catalog.pg_attribute a on a.attrelid = c.oid"
        + " and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''"
        + " where c.oid = '"
        + name.replace("'", "''")
        + "'::pg_catalog.regclass order by a.attnum";
  }

  private final class Answer extends CapturedAnswer {
    @Override
    public void message(ServerConnection server, Message message) {
      super.message(server, message);
      if (message.type() == BackendType.DATA_ROW) {
        List<@Nullable String> row = TextRow.read(message);
        names.add(row.get(0));
        columns.add(row.get(1));
        partitioned = "t".equals(row.get(2));
      }
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
