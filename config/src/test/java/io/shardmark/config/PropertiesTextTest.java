package io.shardmark.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The oracle is {@link Properties}, whose text form this reads. */
final class PropertiesTextTest {
  private static final String FUZZ_ALPHABET = "ab=: \t\f\\\n\r#!u0041/\u00e9";

  private static Map<String, String> ours(String text) {
    Map<String, String> values = new LinkedHashMap<>();
    for (PropertiesText.PropertyLine entry : PropertiesText.entries("f", text)) {
      values.put(entry.key(), entry.value());
    }
    values.remove("");
    return values;
  }

  /** Without the empty key, which Java also makes of a lone backslash at the very end. */
  private static Map<String, String> javas(String text) throws IOException {
    Properties properties = new Properties();
    properties.load(new StringReader(text));
    Map<String, String> values = new LinkedHashMap<>();
    for (String key : properties.stringPropertyNames()) {
      if (!key.startsWith("//")) {
        values.put(key, properties.getProperty(key));
      }
    }
    values.remove("");
    return values;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a=b",
        "a:b",
        "a b",
        "a = b",
        "  a\t=\tb c ",
        "a",
        "a=",
        "=b",
        "a==b",
        "a\\==b",
        "a\\ b=c",
        "a=b\\\n   c",
        "a=b\\\r\n   c",
        "a=b\\\\\nc=d",
        "a=b\\",
        "a=b\\\n\nc=d",
        "\\\n#x=1\ny=2",
        "\\\n\n y=2",
        "#a=b\\\nc=d",
        "!a=b\nc=d",
        "a=b\rc=d\r\ne=f\n",
        "a=\\u0041\\u00e9\\t\\n\\q",
        "a=1\na=2",
        "a=b # no comment",
        "// a comment\nb=c",
        "//a=b\n//a\n b=c",
        "a=\u00e9\u00ff"
      })
  void readsAsJavaDoes(String text) throws IOException {
    assertThat(ours(text)).isEqualTo(javas(text));
  }

  @Test
  void readsRandomTextAsJavaDoes() throws IOException {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    int compared = 0;
    for (int round = 0; round < 50_000; round++) {
      StringBuilder text = new StringBuilder();
      int length = random.nextInt(24);
      for (int i = 0; i < length; i++) {
        text.append(FUZZ_ALPHABET.charAt(random.nextInt(FUZZ_ALPHABET.length())));
      }
      Map<String, String> expected;
      try {
        expected = javas(text.toString());
      } catch (IllegalArgumentException malformedEscape) {
        continue;
      }
      compared++;
      assertThat(ours(text.toString())).as("seed %d, text %s", seed, text).isEqualTo(expected);
    }
    assertThat(compared).isGreaterThan(25_000);
  }

  @Test
  void knowsTheLineOfEveryKey() {
    String text = "# one\n\r\n  db=x\r\nuser=\\\n  y\rwarehouses=1\n\n//z\nseed=5";

    assertThat(PropertiesText.entries("f", text))
        .extracting(PropertiesText.PropertyLine::line)
        .containsExactly(3, 4, 6, 9);
  }

  @Test
  void knowsWhereTheValueStands() {
    String text = "user=me\npassword =  a\\\n  b\\u0041 \nwarehouses=\n";
    List<PropertiesText.PropertyLine> entries = PropertiesText.entries("f", text);

    assertThat(entries)
        .extracting(entry -> text.substring(entry.valueStart(), entry.valueEnd()))
        .containsExactly("me", "a\\\n  b\\u0041 ", "");
  }

  @Test
  void skipsByteOrderMark() {
    assertThat(ours("\u00ef\u00bb\u00bfdb=postgres")).containsOnlyKeys("db");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a=1\nb=\\u00g0", "a=1\nb=\\u12", "\nb\\u=1", "\n\\u"})
  void refusesMalformedEscapeWithItsLine(String text) {
    assertThatThrownBy(() -> PropertiesText.entries("props.pg", text))
        .isInstanceOf(ConfigException.class)
        .hasMessage("props.pg:2: malformed \\u escape: expected four hexadecimal digits after \\u");
  }

  @Test
  void junkLineMayHoldAMalformedEscape() {
    assertThat(ours("// see C:\\users\ndb=postgres")).containsOnlyKeys("db");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"plain", " leading", "back\\slash", "tab\tand\nline", "caf\u00e9 \u20ac", ""})
  void escapedValueReadsBack(String value) {
    assertThat(ours("a=" + PropertiesText.escape(value))).containsEntry("a", value);
  }
}
