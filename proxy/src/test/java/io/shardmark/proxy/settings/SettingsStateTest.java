package io.shardmark.proxy.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class SettingsStateTest {
  private static final Settings FIRST =
      Settings.of(Map.of("timezone", "UTC", "search_path", "\"$user\", public"));
  private static final SettingsState AT_FIRST = SettingsState.of(FIRST);

  private static Optional<String> to(String value) {
    return Optional.of(value);
  }

  @Test
  void aRollbackGoesBackToTheBaseWhateverCameBefore() {
    SettingsState changed =
        AT_FIRST
            .set("work_mem", to("1MB"))
            .savepoint("a")
            .setLocal("timezone", to("Asia/Tokyo"))
            .unknown()
            .resetAll(Settings.NONE);
    assertThat(changed.isSettled()).isFalse();
    assertThat(changed.rolledBack()).isEqualTo(AT_FIRST);
  }

  @Test
  void aCommitKeepsWhatWasSetAndForgetsWhatWasLocal() {
    SettingsState changed =
        AT_FIRST
            .setLocal("timezone", to("Asia/Tokyo"))
            .set("work_mem", to("1MB"))
            .setLocal("work_mem", to("2MB"));
    assertThat(changed.inForce())
        .isEqualTo(FIRST.with("timezone", "Asia/Tokyo").with("work_mem", "2MB"));
    assertThat(changed.committed()).isEqualTo(SettingsState.of(FIRST.with("work_mem", "1MB")));
  }

  @Test
  void whatIsSetForTheSessionCountsAtOnceOverWhatWasLocal() {
    SettingsState changed =
        AT_FIRST.setLocal("timezone", to("Asia/Tokyo")).set("timezone", to("Asia/Seoul"));
    assertThat(changed.inForce()).isEqualTo(FIRST.with("timezone", "Asia/Seoul"));
  }

  @Test
  void savepointsAreGoneBackToReleasedAndHidden() {
    SettingsState a = AT_FIRST.set("a", to("1")).savepoint("s");
    SettingsState b = a.set("a", to("2")).savepoint("s").set("a", to("3"));
    assertThat(b.rolledBackTo("s").inForce().value("a")).hasValue("2");
    assertThat(b.released("s").rolledBackTo("s")).isEqualTo(a);
    assertThat(b.rolledBackTo("none")).isEqualTo(b);
    assertThat(b.released("none")).isEqualTo(b);
  }

  @Test
  void theRoleGoesWithTheSessionUserAndStaysThroughResetAll() {
    SettingsState changed =
        AT_FIRST.set(Settings.ROLE, to("r")).set("work_mem", to("1MB")).resetAll(FIRST);
    assertThat(changed.session()).isEqualTo(FIRST.with(Settings.ROLE, "r"));
    assertThat(changed.set(Settings.SESSION_USER, to("u")).session())
        .isEqualTo(FIRST.with(Settings.SESSION_USER, "u"));
    assertThat(changed.set(Settings.SESSION_USER, Optional.empty()).session()).isEqualTo(FIRST);
  }

  @Test
  void whatIsUnknownStaysSoUntilItIsUndone() {
    SettingsState unknown = AT_FIRST.unknown().set("work_mem", to("1MB"));
    assertThat(unknown.committed().base().isUnknown()).isTrue();
    assertThat(unknown.rolledBack()).isEqualTo(AT_FIRST);
  }
}
