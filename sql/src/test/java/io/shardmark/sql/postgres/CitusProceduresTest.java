package io.shardmark.sql.postgres;

import io.shardmark.sql.TestPostgres;
import io.shardmark.sql.script.ScriptStep;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** The functions of {@code sql.citus} on a plain PostgreSQL, where nothing is distributed. */
final class CitusProceduresTest extends StoredProceduresContract {
  private static final String STAND_INS =
      """
      create table if not exists pg_dist_partition (logicalrelid regclass, partmethod "char");
      create or replace function create_distributed_table(text, text, colocate_with text default '')
        returns void language sql as '';
      create or replace function create_reference_table(text) returns void language sql as '';
      create or replace function create_distributed_function(text, text, colocate_with text)
        returns void language sql as '';
      """;

  @Override
  void runSteps(Connection own, List<ScriptStep> steps) throws SQLException {
    try (Statement statement = own.createStatement()) {
      statement.execute(STAND_INS);
    }
    TestPostgres.runSteps(own, steps, "sql.citus");
  }
}
