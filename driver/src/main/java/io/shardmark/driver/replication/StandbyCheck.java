package io.shardmark.driver.replication;

import io.shardmark.config.ConfigException;
import io.shardmark.config.DatabaseKind;
import io.shardmark.driver.benchmark.Endpoints;
import io.shardmark.driver.benchmark.Follower;
import io.shardmark.driver.replication.StandbySettings.LogicalApply;
import io.shardmark.sql.jdbc.FirstValue;
import io.shardmark.sql.script.Existing;
import io.shardmark.sql.script.ScriptLocator;
import io.shardmark.sql.script.ScriptRunner;
import io.shardmark.sql.script.ScriptSet;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Makes sure before a run that the standby follows, has all that the primary has, and is waited for
 * if the run asks for that. A logical standby is given the tables that it lacks.
 */
record StandbyCheck(Endpoints endpoints, TableLayout layout, StandbySettings settings) {
  private static final int PARALLEL_APPLY = 16;

  private static final long LOOK_MILLIS = 50;
  private static final long CONNECT_NANOS = TimeUnit.SECONDS.toNanos(15);
  private static final String SUBSCRIPTIONS =
      """
      SELECT subname, subslotname, subpublications[1] FROM pg_subscription
       WHERE subdbid = (SELECT oid FROM pg_database WHERE datname = current_database())
       ORDER BY subname
      """;

  /** One for each subscription, and one that copies tables. */
  private static final String WORKERS = "SHOW max_logical_replication_workers";

  /**
   * @throws ConfigException if the run cannot be made with this standby; one line
   */
  Follower followerOfReadyStandby() throws SQLException {
    List<String> urls = settings.urls().isEmpty() ? endpoints.standbyUrls() : settings.urls();
    if (urls.isEmpty()) {
      throw new ConfigException(
          "there is no standby: expected its JDBC URL as standbyConn, or conn=embedded:replicated");
    }
    List<StandbyLink.Address> standbys = new ArrayList<>();
    for (String url : urls) {
      try (Connection standby = open(url)) {
        standbys.add(new StandbyLink.Address(url, follow(standby)));
      }
    }
    StandbyLink link = new StandbyLink(endpoints, standbys, layout);
    boolean ready = false;
    try {
      requireStreaming(
          link.primary(), standbys.stream().mapToInt(StandbyLink.Address::sessions).sum());
      if (standbys.stream().allMatch(standby -> standby.slots().isEmpty())) {
        awaitLog(link);
      }
      awaitBacklog(link);
      link.reset();
      ready = true;
      return new StandbyFollower(link, settings.patience());
    } finally {
      if (!ready) {
        link.close();
      }
    }
  }

  private Connection open(String url) {
    try {
      return endpoints.open(url);
    } catch (ConfigException e) {
      throw new ConfigException(
          "the standby %s cannot be reached: %s; start it, or correct standbyConn"
              .formatted(url, e.getMessage()));
    }
  }

  /** The slots of a logical standby's subscriptions; empty if it is a physical one. */
  private List<String> follow(Connection standby) throws SQLException {
    if (FirstValue.text(standby, "SELECT pg_is_in_recovery()").equals("t")) {
      if (settings.apply() != LogicalApply.UNCHANGED) {
        throw new ConfigException(
            "logicalApply is for logical standbys, and this one replays the primary's log: leave the key out");
      }
      return List.of();
    }
    List<Subscription> subscriptions = new ArrayList<>();
    try (Statement statement = standby.createStatement();
        ResultSet row = statement.executeQuery(SUBSCRIPTIONS)) {
      while (row.next()) {
        subscriptions.add(new Subscription(row.getString(1), row.getString(2), row.getString(3)));
      }
    }
    if (subscriptions.isEmpty()) {
      throw new ConfigException(
          "standbyConn names a server that follows no other: it neither replays a primary's log nor has a subscription in this database");
    }
    requireWorkers(subscriptions.size(), Integer.parseInt(FirstValue.text(standby, WORKERS)));
    subscribe(standby, subscriptions);
    return subscriptions.stream().map(Subscription::slot).toList();
  }

  private record Subscription(String name, String slot, String publication) {}

  /**
   * @throws ConfigException if some subscriptions of a standby would never apply
   */
  static void requireWorkers(int subscriptions, int workers) {
    if (workers <= subscriptions) {
      throw new ConfigException(
          "the standby has %d subscriptions and max_logical_replication_workers=%d: expected at least %d, one for each and one that copies tables: set it and max_worker_processes there and restart, or drop subscriptions"
              .formatted(subscriptions, workers, subscriptions + 1));
    }
  }

  /** Both ends of a logical standby get the tables that they lack. */
  private void subscribe(Connection standby, List<Subscription> subscriptions) throws SQLException {
    requireParallelApply(settings.apply(), standby.getMetaData().getDatabaseMajorVersion());
    createTables(standby);
    for (int share = 0; share < subscriptions.size(); share++) {
      publish(
          subscriptions.get(share).publication(),
          TableLayout.shareFilter(share, subscriptions.size()));
      String quoted = quoted(subscriptions.get(share).name());
      try (Statement statement = standby.createStatement()) {
        if (settings.apply() != LogicalApply.UNCHANGED) {
          statement.execute(
              "ALTER SUBSCRIPTION %s SET (streaming = %s)"
                  .formatted(quoted, settings.apply().streaming()));
        }
        statement.execute("ALTER SUBSCRIPTION " + quoted + " REFRESH PUBLICATION");
      }
    }
  }

  private void createTables(Connection standby) throws SQLException {
    String last = TableLayout.name(layout.tables() - 1);
    if (!FirstValue.text(standby, "SELECT to_regclass('" + last + "')").isEmpty()) {
      return;
    }
    ScriptSet scripts = Replication.scripts(layout);
    ScriptLocator locator = new ScriptLocator(Path.of(""), DatabaseKind.POSTGRES, scripts);
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    ScriptRunner runner = new ScriptRunner(standby, nowhere, Existing.SKIP);
    for (String step : List.of(scripts.beforeLoad().get(0), scripts.afterLoad().get(0))) {
      runner.run(locator.locate(step));
    }
  }

  /**
   * @param filter of the rows, in SQL; empty for all of them
   */
  private void publish(String publication, String filter) throws SQLException {
    try (Connection primary = endpoints.open();
        Statement statement = primary.createStatement()) {
      for (int table = 0; table < layout.tables(); table++) {
        String name = TableLayout.name(table);
        if (FirstValue.text(
                primary,
                "SELECT 1 FROM pg_publication_tables WHERE pubname = '%s' AND tablename = '%s'"
                    .formatted(publication.replace("'", "''"), name))
            .isEmpty()) {
          statement.execute(
              "ALTER PUBLICATION %s ADD TABLE %s%s".formatted(quoted(publication), name, filter));
        }
      }
    }
  }

  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /**
   * @throws ConfigException if a server of this version has no parallel apply
   */
  static void requireParallelApply(LogicalApply apply, int version) {
    if (apply == LogicalApply.PARALLEL && version < PARALLEL_APPLY) {
      throw new ConfigException(
          "logicalApply=parallel needs PostgreSQL %d or later on the standby, which is PostgreSQL %d: set logicalApply=serial"
              .formatted(PARALLEL_APPLY, version));
    }
  }

  /** A standby that has just started may take a moment to connect. */
  private void requireStreaming(Connection primary, int sessions) throws SQLException {
    StandbyCommit commit = settings.commit();
    long deadline = System.nanoTime() + Math.min(CONNECT_NANOS, settings.patience().toNanos());
    if (commit.waits() && FirstValue.text(primary, "SHOW synchronous_standby_names").isEmpty()) {
      throw new ConfigException(
          "standbyCommit=%s: the primary waits for no standby, its synchronous_standby_names is empty: set it there, or standbyCommit=async"
              .formatted(commit));
    }
    // Who may not see other sessions sees rows of them without a state.
    String wanted =
        commit.waits()
            ? "coalesce(sync_state, 'sync') IN ('sync', 'quorum')"
            : "coalesce(state, 'streaming') = 'streaming'";
    int expected = commit.waits() ? 1 : sessions;
    String found = "SELECT count(*) FROM pg_stat_replication WHERE " + wanted;
    while (FirstValue.number(primary, found) < expected) {
      if (System.nanoTime() - deadline > 0) {
        throw new ConfigException(
            commit.waits()
                ? "standbyCommit=%s: none of the primary's standbys is synchronous: compare synchronous_standby_names with application_name in pg_stat_replication"
                    .formatted(commit)
                : "%d of %d sessions stream from the primary to its standbys: the standby's log says why"
                    .formatted(FirstValue.number(primary, found), expected));
      }
      pause();
    }
  }

  /** A physical standby has the tables once it has replayed their creation. */
  private void awaitLog(StandbyLink link) throws SQLException {
    long deadline = System.nanoTime() + settings.patience().toNanos();
    long written = link.written();
    for (long missing = written - link.applied(); missing > 0; missing = written - link.applied()) {
      if (System.nanoTime() - deadline > 0) {
        throw new ConfigException(
            "the standby has %d bytes of the primary's log still to apply after %d s: the standby's log says why; with much to apply set drainSecs"
                .formatted(missing, settings.patience().toSeconds()));
      }
      pause();
    }
  }

  /** The load may have been faster than the standby. */
  private void awaitBacklog(StandbyLink link) throws SQLException {
    long deadline = System.nanoTime() + settings.patience().toNanos();
    while (true) {
      ReplicationFigures.ReplicationCounts counts = link.counts();
      long missing = counts.primary().statements() - counts.standby().statements();
      if (missing == 0) {
        return;
      }
      if (System.nanoTime() - deadline > 0) {
        throw new ConfigException(
            "the standby lacks %d rows of the primary's after %d s: the standby's log says why; with much to apply set drainSecs"
                .formatted(missing, settings.patience().toSeconds()));
      }
      pause();
    }
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ConfigException("interrupted while waiting for the standby");
    }
  }
}
