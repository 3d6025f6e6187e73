package io.shardmark.sql.postgres;

import io.shardmark.sql.TestPostgres;
import io.shardmark.sql.script.ScriptStep;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** The functions of {@code sql.postgres}. */
final class StoredProceduresTest extends StoredProceduresContract {
  @Override
  void runSteps(Connection own, List<ScriptStep> steps) throws SQLException {
    TestPostgres.runSteps(own, steps);
  }
}
