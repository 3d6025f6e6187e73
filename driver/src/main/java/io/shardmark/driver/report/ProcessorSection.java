package io.shardmark.driver.report;

import io.shardmark.driver.report.Page.Block;
import io.shardmark.driver.report.Page.Section;
import io.shardmark.driver.results.Client;
import io.shardmark.driver.results.ProcessorCost;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.ServerProcess;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.reader.RunData;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the driver and each server took of the processors. */
final class ProcessorSection {
  private static final String[] NOTHING = {Texts.NONE, Texts.NONE, Texts.NONE, Texts.NONE};

  private final RunResult run;

  private ProcessorSection(RunResult run) {
    this.run = run;
  }

  /** Only of a run that looked at the processes of its database. */
  static Optional<Section> of(RunData data) {
    RunResult run = data.result();
    return run.serverProcesses().isEmpty()
        ? Optional.empty()
        : Optional.of(new ProcessorSection(run).build());
  }

  private Section build() {
    TableBuilder table =
        new TableBuilder("In the measurement interval")
            .text("Process", "Address", "Program")
            .number("Processors", "User, s", "System, s", "µs per transaction");
    for (ServerProcess process : run.serverProcesses()) {
      row(table, process);
    }
    Client client = run.client();
    if (client != null) {
      double used = ProcessorCost.driverSeconds(run, client);
      row(table, ProcessorCost.DRIVER, "", "", figures(used, null, null));
    }
    Optional<Double> all = ProcessorCost.of(run).map(ProcessorCost::all);
    all.ifPresent(micros -> table.total("all", "", "", "", "", "", Texts.three(micros)));
    List<Block> blocks = new ArrayList<>(List.of(Block.of(table.build())));
    boolean unknown =
        run.serverProcesses().stream().anyMatch(one -> one.processorSeconds() == null);
    if (unknown) {
      blocks.add(
          Block.note(
              "Not read: a process on another machine, or of a user whose processes the driver may"
                  + " not see."));
    }
    return new Section(
        "processors",
        "Processor time",
        "Of the process that listens at an address and of those that it started. Transactions are"
            + " those that succeeded.",
        blocks);
  }

  private void row(TableBuilder table, ServerProcess process) {
    Double used = process.processorSeconds();
    row(
        table,
        process.role(),
        process.address(),
        Objects.requireNonNullElse(process.program(), Texts.NONE),
        used == null ? NOTHING : figures(used, process.userSeconds(), process.systemSeconds()));
  }

  private static void row(
      TableBuilder table, String role, String address, String program, String[] figures) {
    table.row(role, address, program, figures[0], figures[1], figures[2], figures[3]);
  }

  private String[] figures(double used, @Nullable Double user, @Nullable Double system) {
    double seconds = run.interval().seconds();
    return new String[] {
      Texts.three(seconds == 0 ? Double.NaN : used / seconds),
      Texts.three(user == null ? Double.NaN : user),
      Texts.three(system == null ? Double.NaN : system),
      Texts.three(ProcessorCost.micros(run, used))
    };
  }
}
