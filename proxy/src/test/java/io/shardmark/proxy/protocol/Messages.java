package io.shardmark.proxy.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One or more of every message there is, for tests that go through all of them. */
final class Messages {
  static final ErrorFields ERROR =
      new ErrorFields(
          Severity.ERROR,
          SqlState.UNIQUE_VIOLATION,
          "duplicate key \"x\"",
          "Key (a)=(1) exists.",
          "Take another.",
          "7",
          Map.of());

  private Messages() {}

  static List<FrontendMessage> ofClients() {
    List<FrontendMessage> all = new ArrayList<>(List.of(FrontendMessage.Bodiless.values()));
    all.addAll(
        List.of(
            new FrontendMessage.Query("SELECT 'größer'"),
            new FrontendMessage.Query(""),
            new FrontendMessage.Parse("s1", "SELECT $1::int", List.of(23)),
            new FrontendMessage.Parse("", "", List.of()),
            new FrontendMessage.Bind("", "", List.of(), List.of(), List.of()),
            new FrontendMessage.Bind(
                "p", "S_1", List.of(1), values(Bytes.of((byte) 0, (byte) 1), null), List.of(1)),
            new FrontendMessage.Bind(
                "", "s", List.of(0, 1), values(Bytes.ofText("42"), Bytes.of()), List.of(0, 1, 1)),
            new FrontendMessage.Describe(NameKind.STATEMENT, "s1"),
            new FrontendMessage.Describe(NameKind.PORTAL, ""),
            new FrontendMessage.Close(NameKind.PORTAL, "p"),
            new FrontendMessage.Execute("", 0),
            new FrontendMessage.Execute("p", 100),
            new FrontendMessage.CopyData(Bytes.ofText("1\t2\n")),
            new FrontendMessage.CopyFail("no more"),
            new FrontendMessage.FunctionCall(1598, List.of(), values(Bytes.ofText("1"), null), 1),
            new FrontendMessage.AuthenticationAnswer(Bytes.ofText("secret\0"))));
    return all;
  }

  static List<BackendMessage> ofServers() {
    List<BackendMessage> all = new ArrayList<>(List.of(BackendMessage.Bodiless.values()));
    all.addAll(
        List.of(
            new BackendMessage.AuthenticationRequest(new Authentication.Ok()),
            new BackendMessage.AuthenticationRequest(new Authentication.CleartextPassword()),
            new BackendMessage.AuthenticationRequest(
                new Authentication.Md5Password(Bytes.of(new byte[] {1, 2, 3, 4}))),
            new BackendMessage.AuthenticationRequest(
                new Authentication.Sasl(List.of("SCRAM-SHA-256-PLUS", "SCRAM-SHA-256"))),
            new BackendMessage.AuthenticationRequest(
                new Authentication.SaslContinue("r=x,s=y,i=1")),
            new BackendMessage.AuthenticationRequest(new Authentication.SaslFinal("v=x")),
            new BackendMessage.AuthenticationRequest(
                new Authentication.Other(7, Bytes.of((byte) 9))),
            new BackendMessage.BackendKeyData(7, Bytes.of(new byte[4])),
            new BackendMessage.BackendKeyData(7, Bytes.of(new byte[256])),
            new BackendMessage.CommandComplete("INSERT 0 1"),
            new BackendMessage.CopyData(Bytes.ofText("x")),
            new BackendMessage.CopyResponse(
                BackendType.COPY_IN_RESPONSE, new CopyFormats(1, List.of(1, 1))),
            new BackendMessage.CopyResponse(
                BackendType.COPY_OUT_RESPONSE, new CopyFormats(0, List.of(0))),
            new BackendMessage.CopyResponse(
                BackendType.COPY_BOTH_RESPONSE, new CopyFormats(0, List.of())),
            new BackendMessage.DataRow(values(Bytes.ofText("1"), null, Bytes.of())),
            new BackendMessage.ErrorResponse(ERROR),
            new BackendMessage.NoticeResponse(
                ErrorFields.of(Severity.NOTICE, SqlState.WARNING, "it is")),
            new BackendMessage.FunctionCallResponse(null),
            new BackendMessage.FunctionCallResponse(Bytes.ofText("1")),
            new BackendMessage.NegotiateProtocolVersion(
                ProtocolVersion.V3_2, List.of("_pq_.x", "_pq_.y")),
            new BackendMessage.NotificationResponse(8, "channel", "payload"),
            new BackendMessage.ParameterDescription(List.of(23, 25)),
            new BackendMessage.ParameterStatus("TimeZone", "UTC"),
            new BackendMessage.ReadyForQuery(TransactionStatus.IDLE),
            new BackendMessage.ReadyForQuery(TransactionStatus.IN_TRANSACTION),
            new BackendMessage.ReadyForQuery(TransactionStatus.FAILED),
            new BackendMessage.RowDescription(
                List.of(RowField.text("a"), new RowField("b", 1, -2, 3, -4, 5, 1)))));
    return all;
  }

  static List<byte[]> startupPackets() {
    return List.of(
        encoded(
            out ->
                FrontendMessages.startup(
                    out, ProtocolVersion.V3_0, Map.of("user", "bench", "database", "bench"))),
        encoded(
            out ->
                FrontendMessages.startup(
                    out, new ProtocolVersion(3, 9), Map.of("user", "a", "_pq_.x", "1"))),
        encoded(FrontendMessages::sslRequest),
        encoded(FrontendMessages::gssencRequest),
        encoded(out -> FrontendMessages.cancelRequest(out, 1, new byte[4])),
        encoded(out -> FrontendMessages.cancelRequest(out, 1, new byte[256])));
  }

  static List<@Nullable Bytes> values(@Nullable Bytes... values) {
    return Arrays.asList(values);
  }

  /** What writes into a buffer. */
  interface Writer {
    void writeTo(ByteBuf out);
  }

  static byte[] encoded(Writer writer) {
    ByteBuf out = ByteBufAllocator.DEFAULT.buffer();
    try {
      writer.writeTo(out);
      return ByteBufUtil.getBytes(out);
    } finally {
      out.release();
    }
  }

  static ByteBuf buffer(byte... bytes) {
    return ByteBufAllocator.DEFAULT.buffer(Math.max(bytes.length, 1)).writeBytes(bytes);
  }

  /** The message with another length word. */
  static byte[] withLength(byte[] message, int lengthWord) {
    byte[] changed = message.clone();
    for (int i = 0; i < Integer.BYTES; i++) {
      changed[1 + i] = (byte) (lengthWord >>> (24 - 8 * i));
    }
    return changed;
  }
}
