package io.shardmark.driver.result;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shardmark.driver.result.DriversSummary.Driver;
import io.shardmark.driver.result.DriversSummary.Figures;
import io.shardmark.driver.result.DriversSummary.LostDriver;
import io.shardmark.driver.result.DriversSummary.Share;
import io.shardmark.driver.verdict.DriverJudge;
import io.shardmark.driver.verdict.DriverLoad;

/** The members {@code drivers} and {@code client} of {@code summary.json}. */
final class DriversJson {
  private DriversJson() {}

  static void write(ObjectNode node, DriversSummary drivers) {
    node.put("group", drivers.group())
        .put("count", drivers.count())
        .put("merged", drivers.isMerged());
    if (drivers.isMerged()) {
      node.put("complete", drivers.lost().isEmpty())
          .put("startSkewMillis", millis(drivers.startSkewNanos()));
    }
    ArrayNode list = node.putArray("list");
    for (Driver driver : drivers.drivers()) {
      addDriver(list.addObject(), driver);
    }
    ArrayNode lost = node.putArray("lost");
    for (LostDriver driver : drivers.lost()) {
      ObjectNode one = lost.addObject();
      one.put("index", driver.index());
      share(one, driver.share());
      one.put("reason", driver.reason());
    }
  }

  private static void addDriver(ObjectNode node, Driver driver) {
    node.put("index", driver.index());
    share(node, driver.share());
    node.put("startUncertaintyMillis", millis(driver.clock().uncertaintyNanos()))
        .put("startLateMillis", millis(driver.clock().lateNanos()));
    driver.clock().driftNanos().ifPresent(drift -> node.put("clockDriftMillis", millis(drift)));
    if (driver.clock().observedNanos() != 0) {
      node.put("observedBeforeMillis", millis(driver.clock().observedNanos()));
    }
    for (Figures figures : driver.figures()) {
      node.put("tpmC", figures.tpmC())
          .put("tpmTotal", figures.tpmTotal())
          .put("transactionCount", figures.transactions())
          .put("errors", figures.errors());
      client(node.putObject("client"), figures.client());
      ObjectNode machine = node.putObject("machine");
      figures.machine().forEach(machine::put);
      node.put("driverBound", !DriverJudge.limits(figures.client().load()).isEmpty());
    }
  }

  private static void share(ObjectNode node, Share share) {
    node.put("warehouseFrom", share.warehouseFrom())
        .put("warehouseTo", share.warehouseTo())
        .put("terminals", share.terminals())
        .put("connections", share.connections());
  }

  static void client(ObjectNode node, ClientFigures client) {
    DriverLoad load = client.load();
    node.put("coresUsed", load.coresUsed()).put("coresAvailable", load.coresAvailable());
    load.machineBusyShare().ifPresent(share -> node.put("machineBusyShare", share));
    load.runnableDelayShare().ifPresent(share -> node.put("runnableDelayShare", share));
    node.put("serverOnSameMachine", load.serverHere());
    node.put("gcShare", load.gcPauseShare())
        .put("gcCount", client.gcCount())
        .put("gcMillis", client.gcMillis())
        .put("recorderStalls", load.ringStalls())
        .put("recorderStalledMillis", millis(client.stalledNanos()))
        .put("schedulerLatenessP99Millis", millis(load.lateness().p99Nanos()))
        .put("connectionWaitP99Millis", millis(client.connectionWaitP99Nanos()))
        .put("peakRssBytes", client.peakRssBytes());
  }

  /** Rounded to microseconds. */
  static double millis(long nanos) {
    return Math.round(nanos / 1000.0) / 1000.0;
  }
}
