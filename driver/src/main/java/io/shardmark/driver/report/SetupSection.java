package io.shardmark.driver.report;

import io.shardmark.driver.report.Page.Block;
import io.shardmark.driver.report.Page.Section;
import io.shardmark.driver.results.reader.RunData;
import io.shardmark.driver.results.reader.RunPropertiesFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The settings of the run, and where it ran. */
final class SetupSection {
  private final RunData run;

  SetupSection(RunData run) {
    this.run = run;
  }

  Section setup() {
    List<Block> blocks = new ArrayList<>();
    if (!run.properties().maskedText().isBlank()) {
      blocks.add(Block.verbatim("Run properties", run.properties().maskedText().strip()));
    }
    if (run.result().hasSummary()) {
      addTable("In effect", run.result().configuration().texts(), blocks);
    }
    addTable("Workload", run.result().facts(), blocks);
    addTable("Driver's machine", run.result().machine(), blocks);
    addTable("Driver's Java", run.result().jvm(), blocks);
    addTable("Database", run.result().database(), blocks);
    if (blocks.isEmpty()) {
      blocks.add(Block.note("The directory does not tell."));
    }
    return new Section("setup", "Configuration", "Passwords are masked.", blocks);
  }

  /** What differs from the defaults; empty if the directory does not tell. */
  Optional<Section> given() {
    if (run.properties().given().isEmpty()) {
      return Optional.empty();
    }
    List<String> items = new ArrayList<>();
    for (RunPropertiesFile.Given one : run.properties().given()) {
      boolean required = one.missing().equals("required");
      items.add(
          "%s=%s (%s%s)"
              .formatted(
                  one.key(),
                  one.value(),
                  required ? "" : "default " + one.missing() + ", ",
                  one.from()));
    }
    return Optional.of(
        new Section(
            "settings",
            "Settings",
            "Keys that are not at their defaults. All others are under Configuration.",
            List.of(Block.list(items))));
  }

  private static void addTable(String caption, Map<String, String> values, List<Block> blocks) {
    if (values.isEmpty()) {
      return;
    }
    TableBuilder table = new TableBuilder(caption).text("Name").prose("Value");
    values.forEach(table::row);
    blocks.add(Block.of(table.build()));
  }
}
