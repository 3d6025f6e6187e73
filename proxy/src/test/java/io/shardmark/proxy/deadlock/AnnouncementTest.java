package io.shardmark.proxy.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AnnouncementTest {
  private static final String TEXT = "1 00000000000000ff 4294967297 1795261200000000 s1 4711 3/52";

  @Test
  void saysWhoseAServersTransactionIs() {
    Announcement said =
        new Announcement(
            new Party.Transaction(255, 4_294_967_297L),
            1_795_261_200_000_000L,
            Announcement.name(new ServerTransaction(1, 4711, "3/52"), "s1"));
    assertThat(said.text()).isEqualTo(TEXT);
    assertThat(Announcement.parse(TEXT)).contains(said);
  }

  @Test
  void callsAPreparedPartByItsGid() {
    String gid = "shardmark:s1:00000000000000aa:1";
    assertThat(Announcement.name(new ServerTransaction(0, 0, gid + ":s0"), "s0")).isEqualTo(gid);
    assertThat(Announcement.name(new ServerTransaction(0, 0, "mine"), "s0")).isEmpty();
    assertThat(Announcement.name(new ServerTransaction(0, 12, ""), "s0")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1",
        "1 00000000000000ff 1 1",
        "2 00000000000000ff 1 1 s1 4711 3/52",
        "1 ff 1 1 s1 4711 3/52",
        "1 00000000000000fg 1 1 s1 4711 3/52",
        "1 00000000000000ff x 1 s1 4711 3/52",
        "1 00000000000000ff 1 99999999999999999999 s1 4711 3/52",
      })
  void passesOverWhatItDoesNotUnderstand(String text) {
    assertThat(Announcement.parse(text)).isEmpty();
  }

  @Test
  void isForgottenWhenItsPartDoesNotWaitAnyMore() {
    Announcements heard = new Announcements(1, List.of("s0", "s1"));
    heard.hear(List.of(TEXT, "nonsense"));
    ServerTransaction part = new ServerTransaction(1, 4711, "3/52");
    assertThat(heard.whole(part)).contains(new Party.Transaction(255, 4_294_967_297L));
    heard.keep(List.of(waitOf("3/52")));
    assertThat(heard.whole(part)).isPresent();
    heard.keep(List.of(waitOf("3/53")));
    assertThat(heard.whole(part)).isEmpty();
    Announcements own = new Announcements(255, List.of("s0", "s1"));
    own.hear(List.of(TEXT));
    assertThat(own.starts()).as("its own words").isEmpty();
  }

  private static LockWait waitOf(String virtualId) {
    LockWait.Blocker blocker = new LockWait.Blocker(9, "9/9", "");
    return new LockWait(1, 4711, virtualId, blocker, "lock", "", Duration.ZERO, "");
  }
}
