package io.shardmark.sql.script;

/**
 * A script as found.
 *
 * @param location where it is from, for headers and errors: a path, or {@code sql.x/y.sql (built
 *     in)}
 * @param text its whole text
 */
public record Script(String location, String text) {}
