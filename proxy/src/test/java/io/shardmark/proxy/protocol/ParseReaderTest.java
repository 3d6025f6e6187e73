package io.shardmark.proxy.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakCheck.class)
class ParseReaderTest {
  private static final FrontendMessage.Parse PARSE =
      new FrontendMessage.Parse("größe", "SELECT $1, 'ü'", List.of(23, 0));

  private final ParseReader reader = new ParseReader(new NameCache());

  @Test
  void readsNameTextAndTypes() {
    ByteBuf buffer = Messages.buffer(Messages.encoded(PARSE::encode));
    reader.read(buffer, 0, buffer.readableBytes());
    assertThat(reader.name()).isEqualTo("größe");
    assertThat(reader.text()).isEqualTo("SELECT $1, 'ü'");
    assertThat(reader.typeCount()).isEqualTo(2);
    assertThat(reader.typeOid(0)).isEqualTo(23);
    assertThat(reader.typeOid(1)).isZero();
    reader.clear();
    buffer.release();
  }

  @Test
  void givesADefinitionThatCanBeParsedUnderAnotherName() {
    ByteBuf buffer = Messages.buffer(Messages.encoded(PARSE::encode));
    reader.read(buffer, 0, buffer.readableBytes());
    byte[] definition = reader.definition();
    assertThat(Messages.encoded(out -> FrontendMessages.parse(out, 5, definition)))
        .isEqualTo(
            Messages.encoded(
                new FrontendMessage.Parse(StatementName.of(5), PARSE.sql(), PARSE.typeOids())
                    ::encode));
    assertThat(reader.isDefinition(definition)).isTrue();
    buffer.release();
  }

  @Test
  void tellsDefinitionsApart() {
    Definition definition = definition(PARSE);
    assertThat(definition(new FrontendMessage.Parse("other", PARSE.sql(), PARSE.typeOids())).hash())
        .isEqualTo(definition.hash());
    for (FrontendMessage.Parse other :
        List.of(
            new FrontendMessage.Parse("größe", "SELECT $1, 'Ü'", List.of(23, 0)),
            new FrontendMessage.Parse("größe", "SELECT $1, 'ü'", List.of(23, 20)),
            new FrontendMessage.Parse("größe", "SELECT $1, 'ü' ", List.of(23, 0)),
            new FrontendMessage.Parse("größe", "SELECT $1, 'ü'", List.of(23)))) {
      ByteBuf buffer = Messages.buffer(Messages.encoded(other::encode));
      reader.read(buffer, 0, buffer.readableBytes());
      assertThat(reader.isDefinition(definition.bytes().toArray())).isFalse();
      assertThat(reader.definitionHash()).isNotEqualTo(definition.hash());
      buffer.release();
    }
  }

  @Test
  void refusesEveryTruncationAndBytesLeftOver() {
    byte[] bytes = Messages.encoded(PARSE::encode);
    for (int length = Encoding.HEADER_LENGTH; length <= bytes.length + 1; length++) {
      ByteBuf buffer = Messages.buffer(Arrays.copyOf(bytes, length));
      int messageLength = length;
      if (length != bytes.length) {
        assertThatThrownBy(() -> reader.read(buffer, 0, messageLength))
            .isInstanceOf(ProtocolViolationException.class);
      }
      buffer.release();
    }
  }

  @Test
  void makesNamesOnceEvenIfTheyFallOnOnePlace() {
    NameCache names = new NameCache();
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 1000; i++) {
        ByteBuf buffer = Messages.buffer(Bytes.ofText("P0_" + i).toArray());
        assertThat(names.name(buffer, 0, buffer.readableBytes())).isEqualTo("P0_" + i);
        buffer.release();
      }
    }
    ByteBuf buffer = Messages.buffer(Bytes.ofText("S_1").toArray());
    assertThat(names.name(buffer, 0, 3)).isSameAs(names.name(buffer, 0, 3));
    buffer.release();
  }

  private record Definition(Bytes bytes, long hash) {}

  private Definition definition(FrontendMessage.Parse parse) {
    ByteBuf buffer = Messages.buffer(Messages.encoded(parse::encode));
    reader.read(buffer, 0, buffer.readableBytes());
    Definition definition = new Definition(Bytes.of(reader.definition()), reader.definitionHash());
    buffer.release();
    return definition;
  }
}
