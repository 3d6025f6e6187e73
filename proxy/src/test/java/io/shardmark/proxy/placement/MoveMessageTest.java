package io.shardmark.proxy.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.ddl.Hold;
import io.shardmark.proxy.ddl.Hold.Manner;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class MoveMessageTest {
  @Test
  void namesOfAnyCharactersArrive() {
    for (Manner manner : Manner.values()) {
      MoveMessage message =
          new MoveMessage(7, new Hold(Set.of("t", "a b", "Größe", "x%+y"), manner));

      assertThat(MoveMessage.read(message.text())).contains(message);
    }
  }

  @Test
  void tablesWhoseNamesHaveNoRoomAreAll() {
    Set<String> many =
        IntStream.range(0, 1_000).mapToObj(i -> "table_" + i).collect(Collectors.toSet());
    String text = new MoveMessage(Integer.MAX_VALUE, Hold.ofStatements(many)).text();

    assertThat(text.length()).isLessThan(8_000);
    assertThat(MoveMessage.read(text))
        .contains(new MoveMessage(Integer.MAX_VALUE, Hold.ofStatements(Set.of())));
  }

  @Test
  void whatIsNoMessageIsNone() {
    assertThat(MoveMessage.read("")).isEmpty();
    assertThat(MoveMessage.read("hello t")).isEmpty();
  }
}
