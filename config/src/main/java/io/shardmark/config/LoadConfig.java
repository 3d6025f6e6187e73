package io.shardmark.config;

import java.util.Optional;

/**
 * The settings of a load.
 *
 * @param workers key {@code loadWorkers}: loader threads and connections, from 1
 * @param filePrefix key {@code fileLocation}: path prefix of the CSV files (plain concatenation);
 *     empty means load into the database
 * @param csvNullValue key {@code csvNullValue}: text written for SQL NULL
 * @param seed key {@code seed}: the same seed gives the same rows, whatever the number of workers
 * @param seedDrawn true if no seed was given and this one was drawn at start: the load may then
 *     take over the seed of an interrupted load that it continues
 * @param direct key {@code loadDirect}: whether rows go straight to their shards
 * @param evenShards key {@code evenShards}: whether a build deals shards of Citus out evenly
 * @param partitions key {@code partitions}: the fewest hash partitions of each sharded table
 */
public record LoadConfig(
    int workers,
    Optional<String> filePrefix,
    String csvNullValue,
    long seed,
    boolean seedDrawn,
    LoadDirect direct,
    boolean evenShards,
    int partitions) {}
