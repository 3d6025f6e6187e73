package io.shardmark.config;

import java.nio.file.Path;

/**
 * Everything one properties file says, checked. Which parts must be present depends on the verb, so the driver reads a file through
 * {@link BenchmarkProperties}, which makes each part when it is asked for it.
 *
 * @param source the file it was read from, for messages and for the copy in the result directory
 */
public record BenchmarkConfig(Path source, ConnectionConfig connection, RunConfig run, ResultConfig result) {}
