package io.shardmark.proxy.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class SettingsSqlTest {
  private static final Settings PARAMETERS = Settings.of(Map.of("work_mem", "1MB", "a.b", "2"));

  private static Settings as(Settings settings, String user, String role) {
    return settings.with(Settings.SESSION_USER, user).with(Settings.ROLE, role);
  }

  @Test
  void setsOnlyWhatDiffers() {
    assertThat(SettingsSql.change(PARAMETERS, PARAMETERS.without("a.b")))
        .containsExactly("RESET \"a\".\"b\"");
    assertThat(SettingsSql.change(PARAMETERS, PARAMETERS.with("a.b", "it's \\")))
        .containsExactly("SET \"a\".\"b\" TO E'it''s \\\\'");
    assertThat(SettingsSql.change(PARAMETERS, PARAMETERS.with("search_path", "a, \"B\"")))
        .containsExactly("SELECT pg_catalog.set_config('search_path', 'a, \"B\"', false)");
    assertThat(SettingsSql.change(as(PARAMETERS, "x", "y"), as(PARAMETERS, "x", "y"))).isEmpty();
  }

  @Test
  void changesParametersAsTheUserWhoLoggedIn() {
    assertThat(
            SettingsSql.change(as(PARAMETERS, "x", "y"), as(PARAMETERS.without("a.b"), "x", "z")))
        .containsExactly(
            "RESET \"session_authorization\"",
            "RESET \"role\"",
            "RESET \"a\".\"b\"",
            "SET \"session_authorization\" TO 'x'",
            "SET \"role\" TO 'z'");
  }

  @Test
  void resetsAllThatIsUnknown() {
    Settings atLogin = Settings.of(Map.of("work_mem", "4MB"));
    assertThat(SettingsSql.fromUnknown(atLogin, PARAMETERS))
        .containsExactly(
            "RESET \"session_authorization\"",
            "RESET \"role\"",
            "RESET ALL",
            "SET \"a\".\"b\" TO '2'",
            "SET \"work_mem\" TO '1MB'");
  }

  @Test
  void aServerThatJoinsLateGoesThroughAllSavepoints() {
    SettingsState state =
        SettingsState.of(PARAMETERS)
            .setLocal("work_mem", Optional.of("2MB"))
            .savepoint("A \"b")
            .set("work_mem", Optional.of("3MB"))
            .set(Settings.ROLE, Optional.of("r"))
            .savepoint("c")
            .setLocal("work_mem", Optional.empty())
            .setLocal(Settings.SESSION_USER, Optional.of("u"));
    assertThat(SettingsSql.join(state))
        .containsExactly(
            "SET LOCAL \"work_mem\" TO '2MB'",
            "SAVEPOINT \"A \"\"b\"",
            "SET \"work_mem\" TO '3MB'",
            "SET \"role\" TO 'r'",
            "SAVEPOINT \"c\"",
            "SET LOCAL \"work_mem\" TO DEFAULT",
            "SET LOCAL \"session_authorization\" TO 'u'",
            "SET LOCAL \"role\" TO DEFAULT");
  }

  @Test
  void aServerThatJoinsLateIsToldOfConstraints() {
    SettingsState state =
        SettingsState.of(PARAMETERS)
            .constraints("SET CONSTRAINTS ALL DEFERRED")
            .constraints("SET CONSTRAINTS c IMMEDIATE");
    assertThat(SettingsSql.join(state))
        .containsExactly("SET CONSTRAINTS ALL DEFERRED; SET CONSTRAINTS c IMMEDIATE");
    assertThat(state.committed()).isEqualTo(SettingsState.of(PARAMETERS));
  }

  @Test
  void readsStartupMessages() {
    assertThat(
            StartupMessage.settings(
                Map.of(
                    "user",
                    "u",
                    "TimeZone",
                    "UTC",
                    "_pq_.x",
                    "1",
                    "options",
                    "-c work_mem=1MB --a-b=c\\ d -cTimeZone=x")))
        .isEqualTo(Settings.of(Map.of("timezone", "UTC", "work_mem", "1MB", "a_b", "c d")));
  }

  @Test
  void aCommitTakesTheLoginsRoleAndGivesTheClientsBack() {
    SettingsState plain = SettingsState.of(Settings.NONE);
    SettingsState local = plain.setLocal(Settings.ROLE, Optional.of("a'b"));
    SettingsState lasting = plain.set(Settings.ROLE, Optional.of("app"));
    SettingsState user = plain.set(Settings.SESSION_USER, Optional.of("someone"));

    assertThat(SettingsSql.loginRole(plain)).isEmpty();
    assertThat(SettingsSql.lastingRole(plain)).isEmpty();
    assertThat(SettingsSql.loginRole(local)).isEqualTo("SET LOCAL \"role\" TO 'none';");
    assertThat(SettingsSql.roleAgain(local)).isEqualTo("SET LOCAL \"role\" TO 'a''b';");
    assertThat(SettingsSql.lastingRole(local))
        .isEqualTo("SET CONSTRAINTS ALL IMMEDIATE;SET LOCAL \"role\" TO 'none';");
    assertThat(SettingsSql.lastingRole(lasting)).isEmpty();
    assertThat(SettingsSql.loginRole(lasting)).isEqualTo("SET LOCAL \"role\" TO 'none';");
    assertThat(SettingsSql.loginRole(user)).isEqualTo("SET LOCAL SESSION AUTHORIZATION DEFAULT;");
    assertThat(SettingsSql.roleAgain(user)).isEqualTo("SET LOCAL SESSION AUTHORIZATION 'someone';");
  }
}
