package io.shardmark.driver.oscollector;

/**
 * What a disk has done since the machine started; sectors are of 512 bytes whatever the disk's.
 *
 * @param busyMillis time in which it worked on something
 */
record BlockCounters(
    long readOperations,
    long readMerges,
    long readSectors,
    long writeOperations,
    long writeMerges,
    long writeSectors,
    long busyMillis) {}
