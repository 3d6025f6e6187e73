package io.shardmark.driver.merge;

import io.shardmark.driver.results.AuditRow;
import io.shardmark.driver.results.Drivers;
import io.shardmark.driver.results.RunResult;
import java.nio.file.Path;
import java.util.List;

/**
 * The result of one of several drivers.
 *
 * @param directory where its files are
 * @param result as its {@code summary.json} has it
 * @param totals what it kept with it, to be added to that of the others
 */
record MergedPart(Path directory, RunResult result, TotalsFile.Totals totals) {
  /** The drivers of its run, with this one alone in the list. */
  Drivers drivers() {
    Drivers drivers = result.drivers();
    if (drivers == null || drivers.list().size() != 1) {
      throw new IllegalArgumentException("summary.json is not that of one of several drivers");
    }
    return drivers;
  }

  Drivers.DriverPart driver() {
    return drivers().list().get(0);
  }

  int index() {
    return driver().index();
  }

  Path data() {
    return directory.resolve("data");
  }

  List<String> typeNames() {
    return totals.statistics().types().stream().map(type -> type.type().name()).toList();
  }

  List<String> auditRules() {
    return result.audit().stream().map(AuditRow::description).toList();
  }
}
