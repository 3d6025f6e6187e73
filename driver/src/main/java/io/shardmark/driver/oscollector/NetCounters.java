package io.shardmark.driver.oscollector;

/** What a network interface has carried since the machine started. */
record NetCounters(long receivedPackets, long receivedBytes, long sentPackets, long sentBytes) {}
