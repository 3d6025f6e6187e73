package io.shardmark.driver.dbstats;

import io.shardmark.driver.servers.SharedPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeAll;

/** The newest PostgreSQL. */
final class EmbeddedPostgresStatsTest extends PostgresStatsContract {
  private static String database = "";

  @BeforeAll
  static void create() throws SQLException {
    database = SharedPostgres.newDatabase();
  }

  @Override
  Connection connect() throws SQLException {
    return SharedPostgres.connect(database);
  }
}
