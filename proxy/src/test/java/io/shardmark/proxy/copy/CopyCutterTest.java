package io.shardmark.proxy.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.CopyRows;
import io.shardmark.proxy.shardmap.HashRule;
import io.shardmark.proxy.shardmap.KeyType;
import io.shardmark.proxy.shardmap.Sharding;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** How long a row may be; the limit is a small one here, as a gigabyte takes too long. */
final class CopyCutterTest {
  private static final int LIMIT = 1000;
  private static final byte[] BINARY_HEADER =
      "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0".getBytes(StandardCharsets.ISO_8859_1);

  private final List<Integer> rowBytes = new ArrayList<>();
  private CopyCutter cutter = cutter(CopyRows.Format.TEXT);

  private CopyCutter cutter(CopyRows.Format format) {
    Sharding.ByColumn sharding =
        new Sharding.ByColumn("id", KeyType.INTEGER, HashRule.oneRemainderPerShard(2));
    byte delimiter = (byte) (format == CopyRows.Format.CSV ? ',' : '\t');
    CopyRows rows =
        new CopyRows(sharding, 0, format, delimiter, (byte) '"', (byte) '"', "\\N", false);
    return new CopyCutter(
        reader(rows),
        ByteBufAllocator.DEFAULT,
        (shard, buffer, start, length) -> rowBytes.add(length),
        LIMIT);
  }

  private static CopyCutter.CopyRowReader reader(CopyRows rows) {
    return rows.format() == CopyRows.Format.BINARY
        ? new BinaryRows(rows, 2)
        : new LineRows(rows, rows.format() == CopyRows.Format.TEXT);
  }

  private void use(CopyRows.Format format) {
    cutter.close();
    cutter = cutter(format);
  }

  @AfterEach
  void close() {
    cutter.close();
  }

  private static ByteBuf row(CopyRows.Format format, int bytes) {
    ByteBuf row = Unpooled.buffer();
    if (format == CopyRows.Format.BINARY) {
      row.writeBytes(BINARY_HEADER).writeShort(2).writeInt(4).writeInt(1);
      row.writeInt(bytes - 14).writeBytes(new byte[bytes - 14]);
    } else {
      row.writeBytes("1".getBytes(StandardCharsets.US_ASCII));
      row.writeByte(format == CopyRows.Format.CSV ? ',' : '\t');
      row.writeBytes("x".repeat(bytes - 3).getBytes(StandardCharsets.US_ASCII)).writeByte('\n');
    }
    return row;
  }

  private void send(ByteBuf data, int pieceBytes) {
    while (data.isReadable()) {
      int length = Math.min(pieceBytes, data.readableBytes());
      cutter.data(data, data.readerIndex(), length);
      data.skipBytes(length);
    }
  }

  @ParameterizedTest
  @EnumSource(CopyRows.Format.class)
  void rowOfTheLimitPasses(CopyRows.Format format) {
    use(format);
    send(row(format, LIMIT), 64);
    assertThat(rowBytes).endsWith(LIMIT);
  }

  @ParameterizedTest
  @CsvSource({
    "TEXT, 64",
    "TEXT, 1001",
    "TEXT, 5000",
    "CSV, 64",
    "CSV, 5000",
    "BINARY, 64",
    "BINARY, 5000"
  })
  void longerRowNeedsTooMuchMemory(CopyRows.Format format, int pieceBytes) {
    use(format);
    assertThatExceptionOfType(StatementException.class)
        .isThrownBy(() -> send(row(format, LIMIT + 70), pieceBytes))
        .satisfies(
            failure -> {
              assertThat(failure.fields().sqlState()).isEqualTo(SqlState.OUT_OF_MEMORY);
              assertThat(failure)
                  .hasMessage("a row of COPY data needs more than " + LIMIT + " bytes of memory");
            });
  }

  /** Cut at each byte: rows with the shards of their keys, or the error. */
  private static String dealt(CopyRows.Format format, String data) {
    byte[] bytes = data.getBytes(StandardCharsets.US_ASCII);
    List<String> seen = new ArrayList<>();
    for (int cut = 0; cut <= bytes.length; cut++) {
      StringBuilder rows = new StringBuilder();
      byte delimiter = (byte) ',';
      CopyRows form =
          new CopyRows(
              new Sharding.ByColumn("id", KeyType.INTEGER, HashRule.oneRemainderPerShard(2)),
              0,
              format,
              delimiter,
              (byte) '"',
              (byte) '"',
              "\\N",
              false);
      CopyCutter cutter =
          new CopyCutter(
              reader(form),
              ByteBufAllocator.DEFAULT,
              (shard, buffer, start, length) ->
                  rows.append('[')
                      .append(buffer.toString(start, length, StandardCharsets.US_ASCII))
                      .append(']'),
              LIMIT);
      try {
        cutter.data(Unpooled.wrappedBuffer(bytes), 0, cut);
        cutter.data(Unpooled.wrappedBuffer(bytes), cut, bytes.length - cut);
        cutter.finish();
      } catch (StatementException e) {
        rows.append(e.fields().sqlState().code()).append(' ').append(e.getMessage());
      } finally {
        cutter.close();
      }
      seen.add(rows.toString());
    }
    assertThat(seen).containsOnly(seen.get(0));
    return seen.get(0).replace("\r", "R").replace("\n", "N");
  }

  /** PG18 COPY, sql-copy: rows end as the first one does. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '`',
      textBlock =
          """
          TEXT ! 1,aN2,bN             ! [1,aN][2,bN]
          TEXT ! 1,aR2,bR             ! [1,aR][2,bR]
          TEXT ! 1,aRN2,bRN           ! [1,aRN][2,bRN]
          TEXT ! 1,aR2,b              ! [1,aR][2,b]
          TEXT ! 1,aR                 ! [1,aR]
          TEXT ! 1,a\\R2,bN           ! [1,a\\R2,bN]
          TEXT ! 1R2RR3               ! [1R][2R]22P02 invalid input syntax for the sharding column "id" of type integer: ""
          TEXT ! 1,aN2,bRN            ! [1,aN]22P04 literal carriage return found in data
          TEXT ! 1,aRN2,bN            ! [1,aRN]22P04 literal newline found in data
          TEXT ! 1,aRN2,bR3,c         ! [1,aRN]22P04 literal carriage return found in data
          TEXT ! 1,aRN2,bR            ! [1,aRN]22P04 literal carriage return found in data
          TEXT ! 1,aR2,bN             ! [1,aR]22P04 literal newline found in data
          TEXT ! 1,aRN\\.RN2,bN3     ! [1,aRN]
          TEXT ! 1,aN2,b\\.N3,c      ! [1,aN]22P04 end-of-copy marker is not alone on its line
          TEXT ! 1,aN2,b\\\\.N3,c    ! [1,aN][2,b\\\\.N][3,c]
          TEXT ! 1,aN\\.xN3,c        ! [1,aN]22P04 end-of-copy marker corrupt
          CSV  ! 1,aN\\.N2,bN        ! [1,aN]22P02 invalid input syntax for the sharding column "id" of type integer: "\\."
          CSV  ! 1,aR2,bR             ! [1,aR][2,bR]
          CSV  ! 1,"aRNb"RN2,"RN"     ! [1,"aRNb"RN][2,"RN"]
          CSV  ! "1","RbR"N2,N        ! ["1","RbR"N][2,N]
          CSV  ! 1,aN2,bRc            ! [1,aN]22P04 unquoted carriage return found in data
          """)
  void rowsEndAsTheFirst(CopyRows.Format format, String data, String expected) {
    assertThat(dealt(format, data.replace('R', '\r').replace('N', '\n'))).isEqualTo(expected);
  }

  /** A message may hold many rows, of which none is too long. */
  @Test
  void limitIsThatOfARow() {
    for (int i = 0; i < 10; i++) {
      send(row(CopyRows.Format.TEXT, LIMIT / 2), 300);
    }
    assertThat(rowBytes).hasSize(10).containsOnly(LIMIT / 2);
  }
}
