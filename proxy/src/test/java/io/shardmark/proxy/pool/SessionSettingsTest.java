package io.shardmark.proxy.pool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SessionSettingsTest {
  private static final SessionSettings PARAMETERS =
      SessionSettings.NONE.with("work_mem", "SET work_mem TO 1").with("a", "SET a TO 2");

  private static SessionSettings as(SessionSettings settings, String user, String role) {
    return settings
        .with(SessionSettings.ROLE, "SET ROLE " + role)
        .with(SessionSettings.SESSION_USER, "SET SESSION AUTHORIZATION " + user);
  }

  @Test
  void setsOnlyWhatDiffers() {
    assertThat(PARAMETERS.statementsTo(PARAMETERS.without("a"))).containsExactly("RESET a");
    assertThat(PARAMETERS.statementsTo(PARAMETERS.with("a", "SET a TO 3")))
        .containsExactly("SET a TO 3");
    assertThat(as(PARAMETERS, "x", "y").statementsTo(as(PARAMETERS, "x", "y"))).isEmpty();
  }

  @Test
  void setsParametersBeforeTheSessionUserAndTheRoleLast() {
    assertThat(SessionSettings.NONE.statementsTo(as(PARAMETERS, "x", "y")))
        .containsExactly(
            "SET a TO 2", "SET work_mem TO 1", "SET SESSION AUTHORIZATION x", "SET ROLE y");
  }

  @Test
  void changesParametersAsTheUserWhoLoggedIn() {
    assertThat(as(PARAMETERS, "x", "y").statementsTo(as(PARAMETERS.without("a"), "x", "y")))
        .containsExactly(
            "RESET SESSION AUTHORIZATION",
            "RESET ROLE",
            "RESET a",
            "SET SESSION AUTHORIZATION x",
            "SET ROLE y");
  }

  @Test
  void resetsAllThatIsUncertain() {
    assertThat(SessionSettings.UNKNOWN.statementsTo(PARAMETERS))
        .containsExactly(
            "RESET SESSION AUTHORIZATION",
            "RESET ROLE",
            "RESET ALL",
            "SET a TO 2",
            "SET work_mem TO 1");
  }

  @Test
  void keepsTheIdentityWhereParametersAreReset() {
    assertThat(SessionSettings.NONE.withIdentityOf(as(PARAMETERS, "x", "y")))
        .isEqualTo(as(SessionSettings.NONE, "x", "y"));
    assertThat(as(PARAMETERS, "x", "y").withIdentityOf(SessionSettings.NONE)).isEqualTo(PARAMETERS);
  }
}
