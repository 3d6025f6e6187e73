package io.shardmark.sql.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HostsInTurnsTest {
  @Test
  void eachHostIsFirstInItsTurnAndTheOthersFollow() {
    HostsInTurns hosts = new HostsInTurns("jdbc:postgresql://a:1,b:2,[::1]:3/bench?ssl=true");

    assertThat(Stream.generate(hosts::next).limit(4))
        .containsExactly(
            "jdbc:postgresql://a:1,b:2,[::1]:3/bench?ssl=true",
            "jdbc:postgresql://b:2,[::1]:3,a:1/bench?ssl=true",
            "jdbc:postgresql://[::1]:3,a:1,b:2/bench?ssl=true",
            "jdbc:postgresql://a:1,b:2,[::1]:3/bench?ssl=true");
  }

  @Test
  void oneHostAndOtherProductsUrlsStayAsTheyAre() {
    for (String url :
        new String[] {
          "jdbc:postgresql://a/bench?options=x,y",
          "jdbc:postgresql:bench",
          "jdbc:mariadb://a,b/bench"
        }) {
      assertThat(HostsInTurns.rotations(url)).containsExactly(url);
      assertThat(HostsInTurns.areAskedFor(url)).isFalse();
    }
  }

  @Test
  void turnsTakeThePlaceOfTheDriversRandomOrder() {
    String url = "jdbc:postgresql://a,b/bench?loadBalanceHosts=true&ssl=true";

    assertThat(HostsInTurns.areAskedFor(url)).isTrue();
    assertThat(HostsInTurns.rotations(url))
        .containsExactly(
            "jdbc:postgresql://a,b/bench?ssl=true", "jdbc:postgresql://b,a/bench?ssl=true");
    assertThat(HostsInTurns.rotations("jdbc:postgresql://a,b/bench?loadBalanceHosts=true"))
        .first()
        .isEqualTo("jdbc:postgresql://a,b/bench");
  }
}
