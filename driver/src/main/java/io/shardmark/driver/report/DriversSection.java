package io.shardmark.driver.report;

import io.shardmark.driver.report.Page.Block;
import io.shardmark.driver.report.Page.Grade;
import io.shardmark.driver.report.Page.Section;
import io.shardmark.driver.results.Client;
import io.shardmark.driver.results.Drivers;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.Texts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/** Who made the run, if several drivers did. */
final class DriversSection {
  private DriversSection() {}

  static Section of(Drivers drivers, RunResult run) {
    List<Block> blocks = new ArrayList<>();
    if (drivers.merged()) {
      blocks.add(figures(drivers, run));
    }
    blocks.add(starts(drivers));
    return new Section("drivers", "The drivers", introduction(drivers), blocks);
  }

  private static String introduction(Drivers drivers) {
    return drivers.merged()
        ? "%d of %d drivers, started together to %s ms. Their counts and histograms are added; nothing is averaged."
            .formatted(
                drivers.list().size(),
                drivers.count(),
                Texts.three(Objects.requireNonNullElse(drivers.startSkewMillis(), 0.0)))
        : "This is the result of one of %d drivers. That of all of them is with driver 0."
            .formatted(drivers.count());
  }

  private static Block figures(Drivers drivers, RunResult run) {
    List<String> numbers = new ArrayList<>(List.of("Terminals"));
    run.metrics().forEach(metric -> numbers.add(metric.name()));
    numbers.addAll(List.of("Failed", "Processors", "Lateness p99 (ms)"));
    TableBuilder table =
        new TableBuilder("What each driver did and used")
            .number("Driver")
            .text(Texts.upperFirst(run.scale().name()))
            .number(numbers.toArray(String[]::new))
            .prose("Verdict");
    for (Drivers.Part one : drivers.list()) {
      List<String> cells = new ArrayList<>();
      cells.add(Integer.toString(one.index()));
      cells.add(range(one.range()));
      cells.add(Texts.count(one.terminals()));
      run.metrics()
          .forEach(
              metric -> cells.add(Texts.three(one.metrics().getOrDefault(metric.name(), 0.0))));
      cells.add(Texts.count(one.errors()));
      Client client = Objects.requireNonNullElse(one.client(), Client.of(0, 0, 0));
      cells.add(
          String.format(Locale.ROOT, "%.2f of %d", client.coresUsed(), client.coresAvailable()));
      cells.add(Texts.three(client.schedulerLatenessP99Millis()));
      cells.add(one.driverBound() ? "was a bottleneck" : "was no bottleneck");
      table.row(cells.toArray(String[]::new)).graded(one.driverBound() ? Grade.FAIL : Grade.PASS);
    }
    for (Drivers.Lost lost : drivers.lost()) {
      List<String> cells = new ArrayList<>();
      cells.add(Integer.toString(lost.index()));
      cells.add(range(lost.range()));
      cells.add(lost.terminals() == 0 ? Texts.NONE : Texts.count(lost.terminals()));
      cells.addAll(Collections.nCopies(run.metrics().size() + 3, Texts.NONE));
      cells.add("LOST: " + lost.reason());
      table.row(cells.toArray(String[]::new)).graded(Grade.FAIL);
    }
    return Block.of(table.build());
  }

  private static Block starts(Drivers drivers) {
    TableBuilder table =
        new TableBuilder("How well their clocks and starts agreed with driver 0, in ms")
            .number("Driver", "Start uncertain by", "Terminals late by", "Clock drift to the end");
    for (Drivers.Part one : drivers.list()) {
      Double drift = one.clockDriftMillis();
      table.row(
          Integer.toString(one.index()),
          Texts.three(one.startUncertaintyMillis()),
          Texts.three(one.startLateMillis()),
          drift == null ? Texts.NONE : Texts.three(drift));
    }
    return Block.of(table.build());
  }

  private static String range(String range) {
    return range.isEmpty() ? Texts.NONE : range;
  }

  /** What a reader must know before the figures are used. */
  static Optional<String> warning(Drivers drivers, RunResult run) {
    if (!drivers.merged()) {
      return Optional.of(
          "This is the result of driver %s of %d alone."
              .formatted(
                  drivers.list().isEmpty() ? "?" : drivers.list().get(0).index(), drivers.count()));
    }
    if (drivers.lost().isEmpty()) {
      return Optional.empty();
    }
    List<String> names =
        drivers.lost().stream()
            .map(
                lost ->
                    "driver %d%s"
                        .formatted(
                            lost.index(),
                            lost.range().isEmpty()
                                ? ""
                                : " (" + run.scale().name() + " " + lost.range() + ")"))
            .toList();
    return Optional.of(
        "INCOMPLETE: the results of %s are missing. What they did is in no figure, and all rates are too low."
            .formatted(String.join(", ", names)));
  }
}
