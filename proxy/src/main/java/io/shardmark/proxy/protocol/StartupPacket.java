package io.shardmark.proxy.protocol;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The packets without a tag that a client may begin with (PG18 §54.2.2 protocol-flow-start-up).
 * Read from hostile bytes before anybody is authenticated: small limits, no trust.
 */
public sealed interface StartupPacket {
  /** PostgreSQL's MAX_STARTUP_PACKET_LENGTH, in bytes with the length word. */
  int MAX_STARTUP_PACKET_LENGTH = 10_000;

  /** First byte of a TLS connection that is begun without asking; no packet's length has it. */
  byte TLS_HANDSHAKE = 0x16;

  /** The newest minor version spoken here. */
  int NEWEST_MINOR = 2;

  private static int minLength() {
    return 2 * Integer.BYTES;
  }

  /**
   * Whether what has come can become a packet. PostgreSQL closes the connection otherwise and says
   * nothing: the sender does not speak this protocol.
   */
  static boolean canRead(ByteBuf in) {
    return in.readableBytes() < Integer.BYTES || isLength(in.getInt(in.readerIndex()));
  }

  private static boolean isLength(int length) {
    return length >= minLength() && length <= MAX_STARTUP_PACKET_LENGTH;
  }

  /**
   * Reads one packet and consumes it.
   *
   * @return null if it is not whole yet; nothing is consumed then
   * @throws ProtocolViolationException if it cannot become one
   */
  static @Nullable StartupPacket read(ByteBuf in) {
    if (in.readableBytes() < Integer.BYTES) {
      return null;
    }
    int length = in.getInt(in.readerIndex());
    if (!isLength(length)) {
      throw new ProtocolViolationException(
          "startup packet declares length %d, allowed are %d to %d"
              .formatted(length, minLength(), MAX_STARTUP_PACKET_LENGTH));
    }
    if (in.readableBytes() < length) {
      return null;
    }
    BodyReader body =
        new BodyReader(
            "startup packet", in, in.readerIndex() + Integer.BYTES, length - Integer.BYTES);
    StartupPacket packet = decode(body);
    in.skipBytes(length);
    return packet;
  }

  private static StartupPacket decode(BodyReader body) {
    int code = body.int32();
    StartupPacket packet =
        switch (code) {
          case FrontendMessages.SSL_REQUEST_CODE -> new SslRequest();
          case FrontendMessages.GSSENC_REQUEST_CODE -> new GssEncRequest();
          case FrontendMessages.CANCEL_REQUEST_CODE -> Cancel.decode(body);
          default -> Startup.decode(ProtocolVersion.ofWord(code), body);
        };
    body.expectEnd();
    return packet;
  }

  /** Asks for TLS; answered with one byte. */
  record SslRequest() implements StartupPacket {}

  /** Asks for GSSAPI encryption; answered with one byte. */
  record GssEncRequest() implements StartupPacket {}

  /** Asks to cancel what another session runs; never answered. */
  record Cancel(CancelKey key) implements StartupPacket {
    static Cancel decode(BodyReader body) {
      int processId = body.int32();
      CancelKey.checkLength(body, body.remaining());
      return new Cancel(new CancelKey(processId, Bytes.rest(body)));
    }
  }

  /**
   * Begins a session.
   *
   * @param version as asked for; perhaps newer than what is spoken here
   * @param parameters in the client's order; the options of the protocol (_pq_.) are not among them
   * @param protocolOptions names of the _pq_. options; none is known here
   */
  record Startup(
      ProtocolVersion version, Map<String, String> parameters, List<String> protocolOptions)
      implements StartupPacket {
    private static final String PROTOCOL_OPTION = "_pq_.";

    public Startup {
      parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
      protocolOptions = List.copyOf(protocolOptions);
    }

    static Startup decode(ProtocolVersion version, BodyReader body) {
      if (version.major() != 3) {
        throw new ProtocolViolationException(
            SqlState.FEATURE_NOT_SUPPORTED,
            "unsupported frontend protocol " + version + ": server supports 3.0 to 3.2");
      }
      Map<String, String> parameters = new LinkedHashMap<>();
      List<String> options = new ArrayList<>();
      for (String name = body.string(); !name.isEmpty(); name = body.string()) {
        String value = body.string();
        if (name.startsWith(PROTOCOL_OPTION)) {
          options.add(name);
        } else {
          parameters.put(name, value);
        }
      }
      return new Startup(version, parameters, options);
    }

    /** The version that the session speaks: the client's, but none newer than known here. */
    public ProtocolVersion spokenVersion() {
      return ProtocolVersion.of(Math.min(version.minor(), NEWEST_MINOR));
    }

    /** Whether the client must learn that it does not get all it asked for. */
    public boolean needsNegotiation() {
      return version.minor() > NEWEST_MINOR || !protocolOptions.isEmpty();
    }
  }
}
