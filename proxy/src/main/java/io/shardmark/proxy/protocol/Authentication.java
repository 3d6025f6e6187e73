package io.shardmark.proxy.protocol;

import java.util.ArrayList;
import java.util.List;

/** What a server asks of a client that logs in (PG18 §54.2.2 protocol-flow-start-up). */
public sealed interface Authentication {
  /**
   * Reads the fields of a whole message.
   *
   * @throws ProtocolViolationException if it is malformed
   */
  static Authentication read(BodyReader body) {
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

  /** Logged in. */
  record Ok() implements Authentication {}

  /** The password itself is asked for. */
  record CleartextPassword() implements Authentication {}

  /** An MD5 hash over password, user and these 4 bytes is asked for. */
  record Md5Password(Bytes salt) implements Authentication {
    static final int SALT_BYTES = 4;
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
  }

  /** The next step of SASL. */
  record SaslContinue(String data) implements Authentication {}

  /** The last step of SASL. */
  record SaslFinal(String data) implements Authentication {}

  /** A way that is not spoken here (Kerberos, GSS, SSPI). */
  record Other(int code, Bytes data) implements Authentication {}
}
