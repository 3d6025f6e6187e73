package io.shardmark.sql.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.sql.history.Anomaly.Phenomenon;
import io.shardmark.sql.history.HistoryTransaction.Append;
import io.shardmark.sql.history.HistoryTransaction.Ending;
import io.shardmark.sql.history.HistoryTransaction.Read;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Long histories of a database of one thread that keeps a level by construction: what the level
 * permits is found, and nothing else. {@code -Dshardmark.operations=1000000} measures the check.
 */
final class SimulatedLevelsTest {
  private static final int OPERATIONS = Integer.getInteger("shardmark.operations", 40_000);
  private static final int CLIENTS = 10;

  /** Lists that are in use at a time, and appends after which one is left for good. */
  private static final int WINDOW = 12;

  private static final int APPENDS = 16;

  private final Random random = new Random(7);
  private final Map<Integer, List<Integer>> committed = new HashMap<>();
  private final List<HistoryTransaction> history = new ArrayList<>();
  private int appends;
  private int operations;

  private enum Level {
    /** One transaction after the other. */
    SERIAL,
    /** Each reads what was committed at its begin; the first committer of a list wins. */
    SNAPSHOT,
    /** Each statement reads what is committed; appends wait for nobody and are never lost. */
    COMMITTED
  }

  private final class Client {
    private final Map<Integer, List<Integer>> snapshot = new HashMap<>();
    private final Map<Integer, List<Integer>> own = new TreeMap<>();
    private final List<HistoryTransaction.HistoryStatement> done = new ArrayList<>();

    private List<Integer> read(Level level, int list) {
      List<Integer> now = committed.getOrDefault(list, List.of());
      List<Integer> base = level == Level.SNAPSHOT ? snapshot.getOrDefault(list, List.of()) : now;
      List<Integer> values = new ArrayList<>(base);
      values.addAll(own.getOrDefault(list, List.of()));
      return values;
    }

    /** False if another transaction has the list. */
    private boolean step(Level level, List<Client> others) {
      int list = appends / APPENDS + random.nextInt(WINDOW);
      if (random.nextBoolean()) {
        done.add(new Read(Map.of(list, List.copyOf(read(level, list)))));
      } else {
        if (others.stream().anyMatch(one -> one != this && one.own.containsKey(list))
            || (level == Level.SNAPSHOT && isChanged(list))) {
          return false;
        }
        appends++;
        own.computeIfAbsent(list, none -> new ArrayList<>()).add(appends);
        done.add(new Append(list, appends));
      }
      return true;
    }

    private boolean isChanged(int list) {
      return committed.getOrDefault(list, List.of()).size()
          > snapshot.getOrDefault(list, List.of()).size();
    }

    private void end(Ending ending) {
      if (ending == Ending.COMMITTED) {
        own.forEach(
            (list, values) -> {
              List<Integer> next = new ArrayList<>(committed.getOrDefault(list, List.of()));
              next.addAll(values);
              committed.put(list, next);
            });
      }
      operations += done.size();
      history.add(new HistoryTransaction(history.size(), ending, done));
      done.clear();
      own.clear();
    }

    private void begin() {
      snapshot.clear();
      for (int list = appends / APPENDS; list < appends / APPENDS + 2 * WINDOW; list++) {
        snapshot.put(list, committed.getOrDefault(list, List.of()));
      }
    }
  }

  private void run(Level level) {
    List<Client> clients = new ArrayList<>();
    for (int i = 0; i < (level == Level.SERIAL ? 1 : CLIENTS); i++) {
      clients.add(new Client());
    }
    while (operations < OPERATIONS) {
      Client client = clients.get(random.nextInt(clients.size()));
      if (client.done.isEmpty()) {
        client.begin();
      }
      if (!client.step(level, clients)) {
        client.end(Ending.ABORTED);
      } else if (random.nextInt(4) == 0) {
        client.end(random.nextInt(20) == 0 ? Ending.ABORTED : Ending.COMMITTED);
      }
    }
    committed.forEach(
        (list, values) ->
            history.add(
                new HistoryTransaction(
                    history.size(), Ending.COMMITTED, List.of(new Read(Map.of(list, values))))));
    committed.clear();
  }

  @ParameterizedTest
  @EnumSource
  void whatALevelPermitsIsFoundAndNothingElse(Level level) {
    run(level);
    long start = System.nanoTime();
    List<Anomaly> anomalies = HistoryCheck.anomalies(history);
    System.out.printf(
        "%s: %,d operations checked in %,d ms%n",
        level, operations, (System.nanoTime() - start) / 1_000_000);
    assertThat(anomalies.stream().map(Anomaly::phenomenon).collect(Collectors.toSet()))
        .containsExactlyInAnyOrder(
            switch (level) {
              case SERIAL -> new Phenomenon[0];
              case SNAPSHOT -> new Phenomenon[] {Phenomenon.ANTI_DEPENDENCY_CYCLE};
              case COMMITTED ->
                  new Phenomenon[] {
                    Phenomenon.TORN_TRANSACTION, Phenomenon.LOST_UPDATE, Phenomenon.READ_SKEW
                  };
            });
  }
}
