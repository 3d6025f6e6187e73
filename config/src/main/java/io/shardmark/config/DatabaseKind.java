package io.shardmark.config;

/**
 * The values of the key {@code db}; each has a folder {@code sql.<name>} of scripts and a folder
 * {@code lib/<name>} of JDBC drivers.
 */
public enum DatabaseKind implements NamedConstant {
  POSTGRES,
  ORACLE,
  MYSQL,
  MARIADB,
  FIREBIRD
}
