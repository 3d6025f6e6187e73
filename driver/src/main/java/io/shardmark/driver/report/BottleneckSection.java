package io.shardmark.driver.report;

import io.shardmark.driver.report.Page.Block;
import io.shardmark.driver.report.Page.Section;
import io.shardmark.driver.results.Bottleneck;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.reader.RunData;
import java.util.List;
import java.util.Optional;

/** What limited the run. */
final class BottleneckSection {
  private BottleneckSection() {}

  /** Only of a run that says so. */
  static Optional<Section> of(RunData run) {
    return run.bottleneck().map(BottleneckSection::section);
  }

  private static Section section(Bottleneck bottleneck) {
    TableBuilder table = new TableBuilder("").text("").number("Share").meter("").prose("Figures");
    for (Bottleneck.Use use : bottleneck.uses()) {
      Double share = use.share();
      table.row(
          use.what(),
          share == null ? "" : Texts.percent(share),
          share == null ? "" : TableBuilder.meter(share),
          use.text());
    }
    return new Section(
        "bottleneck",
        "Bottleneck",
        bottleneck.sentence(),
        List.of(
            Block.of(table.build()),
            Block.note(
                "Shares of resources are of all there is; those of sessions and locks are of the time that sessions were in transactions.")));
  }
}
