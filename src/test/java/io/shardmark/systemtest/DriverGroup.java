package io.shardmark.systemtest;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Several drivers of one run, in one directory and on one database, which is the same for all tests
 * of this JVM. Closing it kills those that are still there.
 */
final class DriverGroup implements AutoCloseable {
  /** How many there are, each with a warehouse of its own. */
  static final int SIZE = 3;

  private final List<DriverProcess> processes = new ArrayList<>();

  private static final class Loaded {
    static final String DATABASE = load();

    private static String load() {
      try {
        return Postgres.loadedDatabase(SIZE);
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** One file for all drivers, of a run that is paced so that it leaves the machine some air. */
  static Map<String, String> properties(String runMins) {
    Map<String, String> properties = Postgres.properties(Loaded.DATABASE);
    properties.put("warehouses", Integer.toString(SIZE));
    properties.put("terminals", "7");
    properties.put("runTxnsPerTerminal", "0");
    properties.put("runMins", runMins);
    properties.put("limitTxnsPerMin", "2100");
    properties.put("resultDirectory", "result");
    properties.put("drivers", Integer.toString(SIZE));
    return properties;
  }

  DriverProcess start(Workspace workspace, int index, String... overrides) throws IOException {
    List<String> arguments =
        new ArrayList<>(List.of("run", Workspace.PROPERTIES, "driverIndex", "" + index));
    arguments.addAll(List.of(overrides));
    return added(workspace.start(arguments.toArray(String[]::new)));
  }

  List<DriverProcess> startAll(Workspace workspace) throws IOException {
    List<DriverProcess> all = new ArrayList<>();
    for (int index = 0; index < SIZE; index++) {
      all.add(start(workspace, index));
    }
    return all;
  }

  /** As in a pod of an Indexed Job. */
  DriverProcess startByJobIndex(Workspace workspace, int index) throws IOException {
    List<String> command = Workspace.java(Workspace.jar());
    command.addAll(List.of("run", Workspace.PROPERTIES));
    return added(
        workspace.startCommand(command, Map.of("JOB_COMPLETION_INDEX", Integer.toString(index))));
  }

  private DriverProcess added(DriverProcess process) {
    processes.add(process);
    return process;
  }

  @Override
  public void close() {
    processes.forEach(DriverProcess::close);
  }
}
