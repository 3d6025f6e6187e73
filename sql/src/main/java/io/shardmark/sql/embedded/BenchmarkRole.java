package io.shardmark.sql.embedded;

import io.shardmark.config.ConfigException;
import io.shardmark.config.Secret;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.postgresql.PGConnection;
import org.postgresql.util.PasswordUtil;

/**
 * The role and the database that the properties name. The role is no superuser: what works here
 * works with the rights an ordinary server gives.
 *
 * @param user a role that is created if need be and owns the database
 * @param password that role's from now on
 * @param database created if need be
 */
record BenchmarkRole(String user, Secret password, String database) {
  /** As PostgreSQL has them. */
  private static final int SALT_BYTES = 16;

  BenchmarkRole {
    if (password.value().isEmpty()) {
      throw new ConfigException("password: is empty; the embedded server needs one");
    }
  }

  /** Creates them or brings them up to date. */
  void ensure(String serverUrl, Secret administrator) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", ClusterDirectory.ADMINISTRATOR);
    properties.setProperty("password", administrator.value());
    try (Connection connection = DriverManager.getConnection(serverUrl + "postgres", properties);
        Statement statement = connection.createStatement()) {
      PGConnection postgres = connection.unwrap(PGConnection.class);
      String role = postgres.escapeIdentifier(user);
      if (!exists(connection, "SELECT 1 FROM pg_roles WHERE rolname = ?", user)) {
        statement.execute("CREATE ROLE " + role + " LOGIN CREATEDB CREATEROLE");
        statement.execute("GRANT pg_monitor, pg_checkpoint, pg_signal_backend TO " + role);
      }
      statement.execute("ALTER ROLE %s PASSWORD '%s'".formatted(role, hash(statement)));
      if (!exists(connection, "SELECT 1 FROM pg_database WHERE datname = ?", database)) {
        statement.execute(
            "CREATE DATABASE " + postgres.escapeIdentifier(database) + " OWNER " + role);
      } else {
        statement.execute(
            "ALTER DATABASE " + postgres.escapeIdentifier(database) + " OWNER TO " + role);
      }
    }
  }

  /** Hashed on our side, so that a failing statement cannot put the password into the log. */
  private String hash(Statement statement) throws SQLException {
    byte[] salt = new byte[SALT_BYTES];
    new SecureRandom().nextBytes(salt);
    try (ResultSet row = statement.executeQuery("SHOW scram_iterations")) {
      row.next();
      return PasswordUtil.encodeScramSha256(password.value().toCharArray(), row.getInt(1), salt);
    }
  }

  private static boolean exists(Connection connection, String query, String name)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      statement.setString(1, name);
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next();
      }
    }
  }
}
