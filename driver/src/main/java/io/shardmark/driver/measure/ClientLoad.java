package io.shardmark.driver.measure;

import java.util.OptionalDouble;

/**
 * How hard the driver itself had to work in the measurement interval.
 *
 * @param coresUsed user and system time of this process per second
 * @param coresAvailable processors this process may use
 * @param machineBusyShare 0 .. 1: share of all processors of this machine that anyone used; empty
 *     if not known
 * @param gcPauseShare 0 .. 1: share of the interval that garbage collection took
 * @param ringStalls how often a worker waited for the collector
 * @param schedulerLatenessP99Nanos 99th percentile of how late a transaction was taken up though a
 *     worker was free
 * @param connectionWaitP99Nanos 99th percentile of the wait for a connection
 * @param serviceP50Nanos median time that a transaction took at the database: what the waits are
 *     compared with
 */
public record ClientLoad(
    double coresUsed,
    int coresAvailable,
    OptionalDouble machineBusyShare,
    double gcPauseShare,
    long ringStalls,
    long schedulerLatenessP99Nanos,
    long connectionWaitP99Nanos,
    long serviceP50Nanos) {}
