package io.shardmark.proxy.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.settings.Settings;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StatementTextsTest {
  private static final NameScope SCOPE = new NameScope(1, List.of("public"), Settings.NONE);

  private final StatementTexts texts = new StatementTexts();

  @Test
  void textsThatAreNotPreparedAgainAreForgotten() {
    StatementText often = texts.of("select 'often'", SCOPE);
    StatementText once = texts.of("select 'once'", SCOPE);
    for (int i = 0; i < 10_000; i++) {
      texts.of("select " + i, SCOPE);
      assertThat(texts.of("select 'often'", SCOPE)).isSameAs(often);
    }
    assertThat(texts.of("select 'once'", SCOPE)).isNotSameAs(once);
  }

  @Test
  void sameTextMeansSomethingElseWithOtherTables() {
    StatementText before = texts.of("select 1", SCOPE);
    NameScope changed = new NameScope(2, List.of("public"), Settings.NONE);
    assertThat(texts.of("select 1", changed).id()).isNotEqualTo(before.id());
  }
}
