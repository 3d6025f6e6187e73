package io.shardmark.proxy.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
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
    Announcements heard = new Announcements();
    heard.hear(List.of(TEXT, "nonsense"), 1);
    assertThat(heard.whole("s1 4711 3/52")).contains(new Party.Transaction(255, 4_294_967_297L));
    heard.keep(Set.of("s1 4711 3/53"));
    assertThat(heard.whole("s1 4711 3/52")).isEmpty();
    heard.hear(List.of(TEXT), 255);
    assertThat(heard.starts()).as("its own words").isEmpty();
  }
}
