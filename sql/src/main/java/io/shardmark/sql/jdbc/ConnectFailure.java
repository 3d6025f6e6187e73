package io.shardmark.sql.jdbc;

import io.shardmark.config.ConfigException;
import io.shardmark.config.ConnectionConfig;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.util.regex.Pattern;

/** Says in one line why a connection could not be opened and which key to look at. */
final class ConnectFailure {
  private static final Pattern SECRET = Pattern.compile("(?i)(password=)[^&;]*");

  private ConnectFailure() {}

  static ConfigException of(ConnectionConfig config, SQLException error) {
    return new ConfigException(
        "cannot connect to %s as user %s: %s (SQLSTATE %s); %s"
            .formatted(
                maskedUrl(config),
                config.user(),
                SECRET.matcher(oneLine(error)).replaceAll("$1***"),
                error.getSQLState(),
                advice(error)));
  }

  static ConfigException urlNotAccepted(ConnectionConfig config) {
    return new ConfigException(
        "conn=%s: not a URL of the driver %s; check the keys conn and driver"
            .formatted(maskedUrl(config), config.driverClass()));
  }

  private static String maskedUrl(ConnectionConfig config) {
    return SECRET.matcher(config.url()).replaceAll("$1***");
  }

  private static String oneLine(SQLException error) {
    if (isUnknownHost(error)) {
      return "its host name is unknown here";
    }
    return String.valueOf(error.getMessage()).strip().replaceAll("\\s+", " ");
  }

  private static boolean isUnknownHost(SQLException error) {
    Throwable cause = error;
    while (cause.getCause() != null && cause.getCause() != cause) {
      cause = cause.getCause();
    }
    return cause instanceof UnknownHostException;
  }

  private static String advice(SQLException error) {
    if (isUnknownHost(error)) {
      return "check the host in the key conn";
    }
    String state = String.valueOf(error.getSQLState());
    String message = String.valueOf(error.getMessage());
    int code = error.getErrorCode();
    if (message.contains("does not support SSL")) {
      return "the server has no TLS: switch it on there, or write sslmode=disable in the key conn";
    }
    if (message.contains("no pg_hba.conf entry")) {
      return message.contains("no encryption") || message.contains("SSL off")
          ? "pg_hba.conf on the server admits no such connection; if it wants TLS (hostssl), write"
              + " sslmode=require in the key conn"
          : "pg_hba.conf on the server wants a line for this user, database and address";
    }
    if (state.startsWith("28") || code == 1045 || code == 1017) {
      return "check the keys user and password";
    }
    if (state.equals("3D000") || code == 1049 || code == 12505 || code == 12514) {
      return "check the database name in the key conn";
    }
    if (state.equals("53300") || code == 1040 || code == 12516 || code == 12519) {
      return "the server allows no more connections";
    }
    if (state.startsWith("08") || code == 17002) {
      return "is the server running there? Check the key conn";
    }
    return "check the key conn";
  }
}
