package io.shardmark.proxy.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class SettingsTest {
  private static final Settings SOME = Settings.of(Map.of("datestyle", "ISO, DMY", "role", "r"));

  @Test
  void aValueThatIsThereAlreadyMakesNoOther() {
    assertThat(SOME.with("datestyle", "ISO, DMY")).isSameAs(SOME);
    assertThat(SOME.without("timezone")).isSameAs(SOME);
    assertThat(SOME.with("datestyle", "ISO, MDY"))
        .isEqualTo(Settings.of(Map.of("datestyle", "ISO, MDY", "role", "r")));
    assertThat(SOME.without("datestyle")).isEqualTo(Settings.of(Map.of("role", "r")));
  }

  @Test
  void aSessionUserSetsTheRoleBackAlsoIfItIsThereAlready() {
    Settings user = Settings.of(Map.of(Settings.SESSION_USER, "u"));
    assertThat(user.with(Settings.ROLE, "r").with(Settings.SESSION_USER, "u")).isEqualTo(user);
    assertThat(SOME.without(Settings.SESSION_USER))
        .isEqualTo(Settings.of(Map.of("datestyle", "ISO, DMY")));
  }

  @Test
  void whatIsUnknownStaysSo() {
    assertThat(Settings.UNKNOWN.with("datestyle", "ISO, DMY")).isSameAs(Settings.UNKNOWN);
    assertThat(Settings.UNKNOWN.without("datestyle")).isSameAs(Settings.UNKNOWN);
  }

  @Test
  void valuesCannotBeChanged() {
    assertThatThrownBy(() -> SOME.values().put("a", "b"))
        .isInstanceOf(UnsupportedOperationException.class);
  }
}
