package io.shardmark.driver.meeting;

import io.shardmark.config.ConfigException;
import io.shardmark.config.DriversConfig;
import io.shardmark.driver.meeting.MeetingRow.State;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** How a driver finds the others of its run, and becomes one of them. */
final class GroupJoiner {
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final DriversConfig config;
  private final MeetingTable table;

  GroupJoiner(DriversConfig config, MeetingTable table) {
    this.config = config;
    this.table = table;
  }

  /**
   * The driver as one of its group.
   *
   * @param own this driver's row
   * @param terms of the run
   * @param before what stood in the table before, of runs that are under way or ended badly
   */
  record Membership(MeetingRow own, GroupTerms terms, List<MeetingRow> before) {}

  /**
   * Driver 0 opens a group; the others wait for it.
   *
   * @throws ConfigException if it is not there in time, or another driver has this index
   */
  Membership join(DriverIdentity identity, GroupTerms proposal)
      throws SQLException, InterruptedException {
    List<MeetingRow> before = table.all();
    GroupTerms terms = config.index() == 0 ? proposal : awaitFirst();
    MeetingRow own =
        new MeetingRow(
            terms.group(),
            config.index(),
            config.count(),
            State.JOINED,
            1,
            new Introduction(identity, config.index() == 0 ? terms : null).toText(),
            "",
            OptionalLong.empty(),
            OptionalLong.empty());
    if (!table.insert(own)) {
      throw new ConfigException(
          "driverIndex=%d: another driver of this run has it, expected one of its own for each"
              .formatted(config.index()));
    }
    return new Membership(own, terms, before);
  }

  /** Rows of runs that ended badly may lie there: a driver 0 that lives changes its row. */
  private GroupTerms awaitFirst() throws SQLException, InterruptedException {
    Map<String, Long> beats = new HashMap<>();
    long deadline = System.nanoTime() + config.patience().toNanos();
    while (true) {
      List<MeetingRow> living =
          table.firsts(config.count()).stream()
              .filter(row -> !row.equalsBeat(beats.putIfAbsent(row.group(), row.beat())))
              .toList();
      Optional<MeetingRow> refused =
          living.stream().filter(row -> row.state() == State.REFUSED).findFirst();
      living = living.stream().filter(row -> row.state() == State.JOINED).toList();
      if (living.size() > 1) {
        throw new ConfigException(
            "drivers=%d: %d drivers with driverIndex 0 wait in this database, expected one run of so many drivers at a time"
                .formatted(config.count(), living.size()));
      }
      if (living.size() == 1) {
        return Objects.requireNonNull(Introduction.of(living.get(0)).terms());
      }
      if (refused.isPresent()) {
        throw new ConfigException(refused.get().note());
      }
      if (System.nanoTime() - deadline >= 0) {
        throw new ConfigException(
            "driver 0 is not in the table %s after %d s (driverWaitSecs)"
                .formatted(MeetingTable.NAME, config.patience().toSeconds()));
      }
      LockSupport.parkNanos(PERIOD_NANOS);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }
}
