package io.shardmark.driver.meeting;

import io.shardmark.sql.dialect.Dialect;
import java.sql.Connection;
import java.util.function.Supplier;

/**
 * The database in which drivers meet.
 *
 * @param connections opens a connection in auto-commit mode; throws {@link
 *     io.shardmark.config.ConfigException} if that fails
 * @param dialect of its SQL
 * @param shard whose clock counts, if the database is spread over several; else empty
 */
public record MeetingPlace(Supplier<Connection> connections, Dialect dialect, String shard) {}
