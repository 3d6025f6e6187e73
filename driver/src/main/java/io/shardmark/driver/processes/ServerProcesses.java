package io.shardmark.driver.processes;

import io.shardmark.driver.results.ServerProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads what the processes of a database use between two instants. One thread. */
public final class ServerProcesses {
  private static final double NANOS_PER_SECOND = 1e9;

  private final List<ProcessNode> nodes;
  private List<Optional<ProcessUsage>> before = List.of();
  private List<ServerProcess> used = List.of();

  /**
   * A server of the database.
   *
   * @param process empty if it is on another machine, or not to be seen
   */
  public record ProcessNode(String role, String address, Optional<ListeningProcess> process) {}

  private record ProcessUsage(ProcessorTime time, OptionalLong switches) {}

  public ServerProcesses(List<ProcessNode> nodes) {
    this.nodes = List.copyOf(nodes);
  }

  public void beginInterval() {
    before = read();
  }

  /** Without a begin nothing is known of any of them. */
  public void endInterval() {
    List<Optional<ProcessUsage>> after = read();
    List<ServerProcess> processes = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      ProcessNode node = nodes.get(i);
      Optional<ProcessUsage> from = before.isEmpty() ? Optional.empty() : before.get(i);
      processes.add(
          from.isPresent() && after.get(i).isPresent()
              ? used(node, from.get(), after.get(i).get())
              : new ServerProcess(node.role(), node.address(), null, null, null));
    }
    used = List.copyOf(processes);
  }

  private List<Optional<ProcessUsage>> read() {
    return nodes.stream()
        .map(
            node ->
                node.process()
                    .flatMap(
                        process ->
                            process
                                .processorTime()
                                .map(time -> new ProcessUsage(time, process.contextSwitches()))))
        .toList();
  }

  private static ServerProcess used(ProcessNode node, ProcessUsage from, ProcessUsage to) {
    ProcessorTime time = to.time.since(from.time);
    long switches = to.switches.orElse(0) - from.switches.orElse(0);
    return new ServerProcess(
        node.role(),
        node.address(),
        node.process().map(ListeningProcess::program).orElseThrow(),
        time.user() / NANOS_PER_SECOND,
        time.system() / NANOS_PER_SECOND,
        // Those of a thread that ended in it are missing.
        from.switches.isEmpty() || switches < 0 ? null : switches);
  }

  /** One for each server, in their order; none before {@link #endInterval}. */
  public List<ServerProcess> used() {
    return used;
  }
}
