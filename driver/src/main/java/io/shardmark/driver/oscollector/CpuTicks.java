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

  /**
   * What has passed since an earlier reading. Linux may take back a little idle or iowait time:
   * that is none then, also in {@link #total}, or the shares of others would be above one.
   */
  CpuTicks since(CpuTicks before) {
    return new CpuTicks(
        Math.max(0, user - before.user),
        Math.max(0, nice - before.nice),
        Math.max(0, system - before.system),
        Math.max(0, idle - before.idle),
        Math.max(0, iowait - before.iowait),
        Math.max(0, irq - before.irq),
        Math.max(0, softirq - before.softirq),
        Math.max(0, steal - before.steal),
        Math.max(0, guest - before.guest),
        Math.max(0, guestNice - before.guestNice));
  }
}
