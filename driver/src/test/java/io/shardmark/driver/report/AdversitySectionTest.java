package io.shardmark.driver.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.driver.report.Page.Block;
import io.shardmark.driver.results.Adversity;
import io.shardmark.driver.results.EventResult;
import io.shardmark.driver.results.EventWindow;
import io.shardmark.driver.results.RollingChecks;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AdversitySectionTest {
  private static final EventWindow NOTHING = new EventWindow(0, 0, null);

  @Test
  void anEventHasItsFiguresBeforeDuringAndAfterIt() {
    EventResult event =
        new EventResult(
            "crash",
            "@kill for 10s",
            60.1,
            12.5,
            "no such part",
            new EventWindow(30, 1234, 4.5),
            new EventWindow(13, 0, null),
            NOTHING,
            100.0,
            14.0,
            null,
            2007,
            3,
            1);
    Block table = AdversitySection.of(new Adversity(List.of(event), null)).blocks().get(0);
    assertThat(Markdown.table((Page.Table) table))
        .contains("| crash | 1 min | 12.5 s | 1,234 / 0 / – | 4.5 / – / – | 100 % | 14 s | never |")
        .contains("| 2,007 / 3 / 1 | @kill for 10s: no such part |");
  }

  @Test
  void ofConditionsThatNobodyCouldReadNothingIsSaid() {
    RollingChecks checks =
        new RollingChecks(30, 0, 2, "no connection", true, 0, 0, NOTHING, NOTHING, List.of());
    Block list = AdversitySection.of(new Adversity(List.of(), checks)).blocks().get(0);
    assertThat(((Page.Items) list).items())
        .containsExactly(
            "0 checks of the consistency conditions; 2 more could not be made: no connection");
  }
}
