package io.shardmark.proxy.protocol.scram;

import io.shardmark.proxy.protocol.Bytes;
import io.shardmark.proxy.protocol.ProtocolViolationException;
import io.shardmark.proxy.protocol.SqlState;
import java.security.MessageDigest;
import java.util.Base64;

/** The client's side of one exchange: proves us to the server, and checks the server's proof. */
public final class ScramClient {
  /**
   * More than this many rounds a server may not ask for; PostgreSQL's default is 4096. It bounds
   * the time that a server can make us spend to about a second.
   */
  public static final int MAX_ITERATIONS = 2_000_000;

  private static final String GS2_HEADER = "n,,";

  /** Base64 of the header. */
  private static final String NO_BINDING = "biws";

  /**
   * What the server challenged with.
   *
   * @param serverFirst the message
   * @param nonce the client's and the server's
   */
  public record Challenge(String serverFirst, String nonce, Bytes salt, int iterations) {}

  /**
   * What answers a challenge.
   *
   * @param text the last message
   * @param signature by which the server will prove itself
   */
  public record ScramAnswer(String text, Bytes signature) {
    /**
     * Checks the server's last message.
     *
     * @throws ProtocolViolationException if the server does not know the password's keys: it is not
     *     the one it says
     */
    public void check(String serverFinal) {
      Attributes attributes = new Attributes(serverFinal, 0);
      if (attributes.hasNext('e')) {
        throw new ProtocolViolationException(
            SqlState.INVALID_PASSWORD, "the server refused: " + attributes.next('e'));
      }
      if (!MessageDigest.isEqual(Attributes.base64(attributes.next('v')), signature.toArray())) {
        throw new ProtocolViolationException(
            SqlState.INVALID_PASSWORD, "the server did not prove that it knows the password");
      }
    }
  }

  private final String clientNonce;
  private final String clientFirstBare;

  /**
   * @param user empty as libpq has it: PostgreSQL takes the name from the startup packet
   * @param clientNonce random, printable ASCII without comma
   */
  public ScramClient(String user, String clientNonce) {
    this.clientNonce = Attributes.nonce(clientNonce);
    String escaped = user.replace("=", "=3D").replace(",", "=2C");
    clientFirstBare = "n=" + escaped + ",r=" + clientNonce;
  }

  /** The first message. */
  public String first() {
    return GS2_HEADER + clientFirstBare;
  }

  /**
   * Reads the server's first message.
   *
   * @throws ProtocolViolationException if it is malformed or not an answer to this client's
   */
  public Challenge challenge(String serverFirst) {
    Attributes attributes = new Attributes(serverFirst, 0);
    String nonce = Attributes.nonce(attributes.next('r'));
    if (!nonce.startsWith(clientNonce) || nonce.length() == clientNonce.length()) {
      throw Attributes.malformed("the server's nonce does not continue the client's");
    }
    byte[] salt = Attributes.base64(attributes.next('s'));
    String rounds = attributes.next('i');
    if (salt.length == 0 || !rounds.matches("[1-9]\\d{0,8}")) {
      throw Attributes.malformed("salt or iteration count is missing");
    }
    int iterations = Integer.parseInt(rounds);
    if (iterations > MAX_ITERATIONS) {
      throw Attributes.malformed(
          iterations + " iterations asked for, at most " + MAX_ITERATIONS + " are done");
    }
    return new Challenge(serverFirst, nonce, Bytes.of(salt), iterations);
  }

  /**
   * The last message.
   *
   * @param keys derived with the challenge's salt and iterations
   */
  public ScramAnswer answer(Challenge challenge, ScramKeys keys) {
    if (!keys.isFor(challenge.salt(), challenge.iterations())) {
      throw new IllegalStateException("SCRAM keys of another salt");
    }
    String withoutProof = "c=" + NO_BINDING + ",r=" + challenge.nonce();
    String authMessage = clientFirstBare + "," + challenge.serverFirst() + "," + withoutProof;
    return new ScramAnswer(
        withoutProof + ",p=" + Base64.getEncoder().encodeToString(keys.proof(authMessage)),
        Bytes.of(keys.serverSignature(authMessage)));
  }
}
