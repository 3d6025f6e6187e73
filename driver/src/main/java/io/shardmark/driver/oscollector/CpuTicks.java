package io.shardmark.driver.oscollector;

/**
 * Time all processors together spent since the machine started, in any one unit (only fractions are
 * made of it). As in Linux, {@code user} contains {@code guest}, and {@code nice} contains {@code
 * guestNice}.
 */
record CpuTicks(
    long user,
    long nice,
    long system,
    long idle,
    long iowait,
    long irq,
    long softirq,
    long steal,
    long guest,
    long guestNice) {

  /** All time; the guest figures are already in user and nice. */
  long total() {
    return user + nice + system + idle + iowait + irq + softirq + steal;
  }
}
