package io.shardmark.driver.recorder;

import io.shardmark.driver.results.MachineUse;
import io.shardmark.driver.results.ResultDraft;
import io.shardmark.driver.results.ServerProcess;
import io.shardmark.driver.results.ServerWaits;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What was seen of the server in the measurement interval, in addition to its answers.
 *
 * @param figures what it counted, by name; empty if it was not asked
 * @param waits what its sessions did
 * @param machine that of the OS collector, the server's or not; empty without one
 * @param processes what those of the database used of the processors; empty if nobody looked
 */
public record ServerSide(
    Map<String, Double> figures,
    ServerWaits waits,
    Optional<MachineUse> machine,
    List<ServerProcess> processes) {
  public ServerSide {
    figures = Collections.unmodifiableMap(new TreeMap<>(figures));
    processes = List.copyOf(processes);
  }

  public void addTo(ResultDraft draft) {
    draft.databaseFigures = figures;
    draft.serverWaits = waits;
    draft.observedMachine = machine.orElse(null);
    draft.serverProcesses = processes;
  }
}
