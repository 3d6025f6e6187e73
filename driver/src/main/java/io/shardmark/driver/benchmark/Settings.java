package io.shardmark.driver.benchmark;

import io.shardmark.config.ConnectionConfig;
import io.shardmark.config.PropertyReader;
import io.shardmark.config.RunConfig;

/**
 * What a benchmark is told about a run.
 *
 * @param connection to the database under test
 * @param run what every run has; the share of this process if several drivers make the run
 * @param values of all keys, the benchmark's own among them
 */
public record Settings(ConnectionConfig connection, RunConfig run, PropertyReader values) {}
