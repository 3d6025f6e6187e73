package io.shardmark.proxy.protocol;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/** What a server asks of a client that logs in (PG18 §54.2.2 protocol-flow-start-up). */
public sealed interface Authentication extends BackendMessage {
  /** The code in the message. */
  int code();

  /** What follows the code. */
  default void encodeRequest(ByteBuf out) {}

  static Authentication decode(BodyReader body) {
    int code = body.int32();
    Authentication authentication =
        switch (code) {
          case 0 -> new Ok();
          case 3 -> new CleartextPassword();
          case 5 -> new Md5Password(Bytes.read(body, Md5Password.SALT_BYTES));
          case 10 -> Sasl.decodeMechanisms(body);
          case 11 -> new SaslContinue(Bytes.rest(body).text());
          case 12 -> new SaslFinal(Bytes.rest(body).text());
          default -> new Other(code, Bytes.rest(body));
        };
    body.expectEnd();
    return authentication;
  }

  @Override
  default BackendType type() {
    return BackendType.AUTHENTICATION;
  }

  @Override
  default void encodeBody(ByteBuf out) {
    out.writeInt(code());
    encodeRequest(out);
  }

  @Override
  default String fields() {
    return Integer.toString(code());
  }

  /** Logged in. */
  record Ok() implements Authentication {
    @Override
    public int code() {
      return 0;
    }
  }

  /** The password itself is asked for. */
  record CleartextPassword() implements Authentication {
    @Override
    public int code() {
      return 3;
    }
  }

  /** An MD5 hash over password, user and these 4 bytes is asked for. */
  record Md5Password(Bytes salt) implements Authentication {
    static final int SALT_BYTES = 4;

    @Override
    public int code() {
      return 5;
    }

    @Override
    public void encodeRequest(ByteBuf out) {
      salt.writeTo(out);
    }
  }

  /** SASL with one of these mechanisms is asked for. */
  record Sasl(List<String> mechanisms) implements Authentication {
    public Sasl {
      mechanisms = List.copyOf(mechanisms);
    }

    static Sasl decodeMechanisms(BodyReader body) {
      List<String> mechanisms = new ArrayList<>();
      for (String name = body.string(); !name.isEmpty(); name = body.string()) {
        mechanisms.add(name);
      }
      return new Sasl(mechanisms);
    }

    @Override
    public int code() {
      return 10;
    }

    @Override
    public void encodeRequest(ByteBuf out) {
      mechanisms.forEach(mechanism -> Encoding.writeString(out, mechanism));
      out.writeByte(0);
    }
  }

  /** The next step of SASL. */
  record SaslContinue(String data) implements Authentication {
    @Override
    public int code() {
      return 11;
    }

    @Override
    public void encodeRequest(ByteBuf out) {
      Bytes.ofText(data).writeTo(out);
    }
  }

  /** The last step of SASL. */
  record SaslFinal(String data) implements Authentication {
    @Override
    public int code() {
      return 12;
    }

    @Override
    public void encodeRequest(ByteBuf out) {
      Bytes.ofText(data).writeTo(out);
    }
  }

  /** A way that is not spoken here (Kerberos, GSS, SSPI). */
  record Other(int code, Bytes data) implements Authentication {
    @Override
    public void encodeRequest(ByteBuf out) {
      data.writeTo(out);
    }
  }
}
