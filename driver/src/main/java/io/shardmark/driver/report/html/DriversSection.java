package io.shardmark.driver.report.html;

import io.shardmark.driver.report.DriversOfRun;
import io.shardmark.driver.report.DriversOfRun.One;
import io.shardmark.driver.report.DriversOfRun.Share;
import io.shardmark.driver.report.html.Page.Block;
import io.shardmark.driver.report.html.Page.Grade;
import io.shardmark.driver.report.html.Page.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Who made the run, if several drivers did. */
final class DriversSection {
  private DriversSection() {}

  static Section of(DriversOfRun drivers) {
    List<Block> blocks = new ArrayList<>();
    if (drivers.merged()) {
      blocks.add(figures(drivers));
    }
    blocks.add(starts(drivers));
    return new Section("drivers", "The drivers", introduction(drivers), blocks);
  }

  private static String introduction(DriversOfRun drivers) {
    return drivers.merged()
        ? "%d of %d drivers, started together to %s ms. Their counts and histograms are added; nothing is averaged."
            .formatted(
                drivers.list().size(), drivers.count(), Texts.three(drivers.startSkewMillis()))
        : "This is the result of one of %d drivers. That of all of them is with driver 0."
            .formatted(drivers.count());
  }

  private static Block figures(DriversOfRun drivers) {
    TableBuilder table =
        new TableBuilder("What each driver did and used")
            .number("Driver")
            .text("Warehouses")
            .number("Terminals", "tpmC", "tpmTotal", "Failed", "Processors", "Lateness p99 (ms)")
            .prose("Verdict");
    for (One one : drivers.list()) {
      table
          .row(
              Integer.toString(one.share().index()),
              warehouses(one.share()),
              Texts.count(one.share().terminals()),
              Texts.three(one.tpmC()),
              Texts.three(one.tpmTotal()),
              Texts.count(one.errors()),
              String.format(Locale.ROOT, "%.2f of %d", one.coresUsed(), one.coresAvailable()),
              Texts.three(one.latenessMillis()),
              one.driverBound() ? "was a bottleneck" : "was no bottleneck")
          .graded(one.driverBound() ? Grade.FAIL : Grade.PASS);
    }
    for (DriversOfRun.Lost lost : drivers.lost()) {
      table
          .row(
              Integer.toString(lost.share().index()),
              warehouses(lost.share()),
              lost.share().terminals() == 0 ? Texts.NONE : Texts.count(lost.share().terminals()),
              Texts.NONE,
              Texts.NONE,
              Texts.NONE,
              Texts.NONE,
              Texts.NONE,
              "LOST: " + lost.reason())
          .graded(Grade.FAIL);
    }
    return Block.of(table.build());
  }

  private static Block starts(DriversOfRun drivers) {
    TableBuilder table =
        new TableBuilder("How well their clocks and starts agreed with driver 0, in ms")
            .number("Driver", "Start uncertain by", "Terminals late by", "Clock drift to the end");
    for (One one : drivers.list()) {
      table.row(
          Integer.toString(one.share().index()),
          Texts.three(one.uncertaintyMillis()),
          Texts.three(one.lateMillis()),
          one.driftMillis().isPresent()
              ? Texts.three(one.driftMillis().getAsDouble())
              : Texts.NONE);
    }
    return Block.of(table.build());
  }

  private static String warehouses(Share share) {
    return share.warehouseTo() == 0
        ? Texts.NONE
        : "%d to %d".formatted(share.warehouseFrom(), share.warehouseTo());
  }

  /** What a reader must know before the figures are used. */
  static Optional<String> warning(DriversOfRun drivers) {
    if (!drivers.merged()) {
      return Optional.of(
          "This is the result of driver %s of %d alone."
              .formatted(
                  drivers.list().isEmpty() ? "?" : drivers.list().get(0).share().index(),
                  drivers.count()));
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
                            lost.share().index(),
                            lost.share().warehouseTo() == 0
                                ? ""
                                : " (warehouses " + warehouses(lost.share()) + ")"))
            .toList();
    return Optional.of(
        "INCOMPLETE: the results of %s are missing. What they did is in no figure, and all rates are too low."
            .formatted(String.join(", ", names)));
  }
}
