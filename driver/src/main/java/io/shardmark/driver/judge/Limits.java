package io.shardmark.driver.judge;

/**
 * Every limit by which a run or a comparison is judged, with its reason. Judges, pages, sweeps and
 * thresholds read them here, and a test holds docs/measurement.md to them.
 */
public final class Limits {
  /** Failed transactions, of all that ended: fewer are the conflicts of a healthy run. */
  public static final double MOST_FAILED_SHARE = 0.01;

  /** Of an asked rate: what the ends of the interval cut off is less than the rest. */
  public static final double HELD_RATE_SHARE = 0.98;

  /** Of the allowed rate: who comes so near would have done more. */
  public static final double AT_LIMIT_SHARE = 0.95;

  /** Of what was reached: a rate to be asked next that leaves room for a steady queue. */
  public static final double NEXT_RATE_SHARE = 0.9;

  /** The server's commits that are not the run's: more than statistics and backups make. */
  public static final double MOST_FOREIGN_COMMITS = 0.05;

  /** Fewer a second are those of the server's own background work. */
  public static final double FEWEST_FOREIGN_PER_SECOND = 5;

  /** What reads the server's figures, and those that it writes. */
  public static final double OBSERVER_COMMITS_PER_SECOND = 2;

  /** In less time no checkpoint and hardly a garbage collection happens. */
  public static final double SHORTEST_RUN_SECONDS = 60;

  /** A 99th percentile of fewer rests on ten transactions at most. */
  public static final long FEWEST_TRANSACTIONS = 1000;

  /** A shorter time without a success is a pause that every server takes now and then. */
  public static final int SHORTEST_QUIET_SECONDS = 2;

  /** So many transactions a quiet time must lack: chance lacks 20 once in 500 million times. */
  public static final double EXPECTED_IN_QUIET = 20;

  /** A transaction that takes so long stood still: as long as a quiet time. */
  public static final long STUCK_MILLIS = 2000;

  /** And so many times as long as half of all: else the database is slow, not stuck. */
  public static final long STUCK_TIMES = 20;

  /** Of all time in transactions, what those that stood still may take. */
  public static final double MOST_STUCK_SHARE = 0.1;

  /** Of the processors that the driver may use: with more it has queues itself. */
  public static final double MOST_CORE_SHARE = 0.8;

  /** A machine that is busier has no processor left. */
  public static final double MOST_MACHINE_SHARE = 0.9;

  /** Of a machine that is less busy on the average, no lack of processors makes a driver late. */
  public static final double LEAST_SHORT_SHARE = 0.5;

  /** Of the interval: with more a 95th percentile is that of the garbage collector. */
  public static final double MOST_GC_SHARE = 0.05;

  /** Of the interval: with more a 98th percentile is that of the hold-ups. */
  public static final double MOST_HELD_UP_SHARE = 0.02;

  /** A hold-up so long would look like a server that stood still. */
  public static final double LONGEST_HELD_UP_SECONDS = 2;

  /** Of the time of all workers: with more a 99th percentile is that of the collector. */
  public static final double MOST_STALL_SHARE = 0.01;

  /** Of the time in which the driver's threads wanted a processor. */
  public static final double MOST_RUNNABLE_DELAY = 0.3;

  /** Of the time in which transactions are under way: less hardly lengthens them. */
  public static final double FREE_RUNNABLE_DELAY = 0.05;

  /** A timer of the operating system is no better. */
  public static final double FREE_LATENESS_MILLIS = 1;

  /** Of the median service time: less is lost in it. */
  public static final double MOST_LATENESS_SHARE = 0.1;

  /** A 99th percentile of fewer is one transaction, such as the first that loads classes. */
  public static final long FEWEST_FOR_LATENESS = 1000;

  /** Of the time in transactions: a smaller share limits nothing alone. */
  public static final double OUTSTANDING_SHARE = 0.3;

  /** Of the interval: where samples cover less, the sentence says how much they cover. */
  public static final double COVERED_SHARE = 0.9;

  /** Of the time in transactions: a smaller share is not in the sentence. */
  public static final double LEAST_NAMED_SHARE = 0.1;

  /** Of the time in transactions: a smaller share is not in the table. */
  public static final double LEAST_SHOWN_SHARE = 0.01;

  /** Of 10,000 honest runs at most one fails any rule of the input audit. */
  public static final double MOST_FALSE_ALARMS = 1e-4;

  /** An audit that judged a smaller share of its rules says too little to be a pass. */
  public static final double LEAST_JUDGED_SHARE = 0.5;

  /** Runs whose lengths differ by more than this factor saw different checkpoints and caches. */
  public static final double LIKE_LENGTH_FACTOR = 1.1;

  /**
   * Tables that are larger by more than this factor fit a cache less, and their indexes are deeper:
   * runs on them are of another database.
   */
  public static final double LIKE_FILL_FACTOR = 1.1;

  /** Events of two runs that began further apart are not the same test. */
  public static final double LIKE_EVENT_SECONDS = 2;

  /** Compared before and after an event: chance moves the mean of so many seconds little. */
  public static final int EVENT_SECONDS = 30;

  /** A single second is chance's as much as the system's; a mean of so many is not. */
  public static final int EVENT_MEAN_SECONDS = 5;

  /** Of the rate before an event: with so much the system counts as recovered. */
  public static final double EVENT_BACK_SHARE = 0.95;

  /**
   * Of the rate before an event: with less the system is still disturbed when the next one comes. A
   * loss that is smaller may be for good, as that by a new index, or chance.
   */
  public static final double EVENT_OUTAGE_SHARE = 0.75;

  /** With two repetitions a side an interval is chance's: one in ten is narrow and wrong. */
  public static final int FEWEST_REPETITIONS = 3;

  /** Repetitions after the first after which all intervals are narrow: that may be chance too. */
  public static final int FURTHER_REPETITIONS = 2;

  /** Of a number of terminals: between two that are nearer no run is worth its time. */
  public static final int NEAR_PERCENT = 5;

  /** The same around a peak, which is flat. */
  public static final int NEAR_PEAK_PERCENT = 12;

  /** A search that finds a rate so much below its best is past the peak. */
  public static final double PAST_PEAK_SHARE = 0.95;

  /** With fewer earlier runs nobody knows how much is usual. */
  public static final int FEWEST_USUAL_RUNS = 7;

  /** A change that stays is the new usual after half as many. */
  public static final int MOST_USUAL_RUNS = 20;

  /**
   * Spreads on each side of the usual. Seven figures are looked at each night: with fewer, chance
   * would leave a band every other week.
   */
  public static final double USUAL_SPREADS = 4;

  /** Of the median: runs that happen to be alike do not make the band a line. */
  public static final double LEAST_USUAL_SHARE = 0.01;

  private Limits() {}
}
