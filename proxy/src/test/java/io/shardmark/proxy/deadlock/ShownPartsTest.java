package io.shardmark.proxy.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ShownPartsTest {
  private static final String GID = "shardmark:s-1_a:00000000000000aa:12";
  private static final Party.PartyTransaction ONE =
      new Party.PartyTransaction(-1, 7, 1_700_000_000_000_000L);
  private static final Party.PartyTransaction OTHER =
      new Party.PartyTransaction(-1, Long.MAX_VALUE >> 3, 35);

  private static String comment(String key, Party.PartyTransaction whole) {
    return ShownParts.comment(Map.of(key, whole));
  }

  @Test
  void isAComment() {
    assertThat(comment("3/12", new Party.PartyTransaction(255, 36, 35)))
        .isEqualTo("/*shardmark 1 00000000000000ff 3/12=z.10;*/");
    assertThat(ShownParts.comment(Map.of())).isEmpty();
  }

  @Test
  void isReadInFrontOfAnyStatement() {
    Map<String, Party.PartyTransaction> parts = Map.of("3/12", ONE, "4/5000000", OTHER, GID, OTHER);
    assertThat(ShownParts.read(List.of(ShownParts.comment(parts) + "SELECT 1", "SELECT 2")))
        .isEqualTo(parts);
  }

  @Test
  void holdsAsManyOfTheFirstAsAServerKeeps() {
    Map<String, Party.PartyTransaction> parts = new LinkedHashMap<>();
    for (int index = 0; index < 100; index++) {
      parts.put(index + "/123456789", new Party.PartyTransaction(1, index, ONE.startMicros()));
    }
    String comment = ShownParts.comment(parts);
    String kept = comment.substring(0, Math.min(1023, comment.length()));
    Map<String, Party.PartyTransaction> read = ShownParts.read(List.of(kept));
    assertThat(parts).containsAllEntriesOf(read);
    assertThat(read)
        .hasSizeGreaterThan(30)
        .containsKey("0/123456789")
        .doesNotContainKey("99/123456789");
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 30, 38, 40, 42})
  void aPartThatIsCutOffIsNotRead(int length) {
    String whole = comment("3/12", new Party.PartyTransaction(255, 36, 35));
    assertThat(ShownParts.read(List.of(whole.substring(0, Math.min(length, whole.indexOf(';'))))))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "SELECT 1",
        "/*shardmark 2 00000000000000ff 3/12=z.10;*/",
        "/*shardmark 1 00000000000000FF 3/12=z.10;*/",
        "/*shardmark 1 ff 3/12=z.10;*/",
        "/*shardmark 1 00000000000000ff 3=z.10;*/",
        "/*shardmark 1 00000000000000ff 3/12=z;*/",
        "/*shardmark 1 00000000000000ff 3/12=z.1234567890123;*/",
        "SELECT '/*shardmark 1 00000000000000ff 3/12=z.10;*/'",
      })
  void anythingElseIsPassedOver(String statement) {
    assertThat(ShownParts.read(List.of(statement))).isEmpty();
  }
}
