package io.shardmark.proxy.copy;

import io.shardmark.proxy.execution.Broadcast;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.Step;
import io.shardmark.proxy.pool.ServerConnection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Asks a shard which columns of a table a COPY copies, and of what kind it is. */
final class CopyTable implements Step {
  private final Execution execution;
  private final String name;
  private final int shard;
  private @Nullable Broadcast asked;

  /** Of each column its name, the same as a statement has it, and whether the table has parts. */
  private List<List<@Nullable String>> rows = List.of();

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
    Broadcast question = asked;
    if (question == null) {
      ServerConnection free = execution.participants().require(shard);
      if (free == null) {
        return false;
      }
      question = Broadcast.of(execution.output(), List.of(free), question());
      asked = question;
    }
    if (!question.advance()) {
      return false;
    }
    rows = question.rows().get(0);
    return true;
  }

  private String question() {
    return "select a.attname, pg_catalog.quote_ident(a.attname), c.relkind = 'p'"
        + " from pg_catalog.pg_class c join pg_catalog.pg_attribute a on a.attrelid = c.oid"
        + " and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''"
        + " where c.oid = '"
        + name.replace("'", "''")
        + "'::pg_catalog.regclass order by a.attnum";
  }

  /** Whether it is a partitioned table, which COPY TO refuses by its name. */
  boolean isPartitioned() {
    return !rows.isEmpty() && "t".equals(rows.get(0).get(2));
  }

  /** The columns that COPY means if the statement names none: all but generated ones. */
  String columnList() {
    return rows.stream().map(row -> row.get(1)).collect(Collectors.joining(", "));
  }

  /** The place of a column among those, from 0, or -1. */
  int indexOf(String column) {
    return rows.stream().map(row -> row.get(0)).toList().indexOf(column);
  }
}
