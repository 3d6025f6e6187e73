package io.shardmark.proxy.protocol.scram;

import io.shardmark.proxy.protocol.ProtocolViolationException;
import io.shardmark.proxy.protocol.SqlState;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * The server's side of one exchange, from the client's first message on: proves the client, and the
 * server to the client.
 */
public final class ScramServer {
  /** The mechanism's name. */
  public static final String MECHANISM = ScramKeys.MECHANISM.getName();

  private final ScramVerifier verifier;
  private final String gs2Header;
  private final String nonce;
  private final String clientFirstBare;

  /**
   * What answers a client that has been proved.
   *
   * @param text the server's own proof
   * @param keys that the client's proof revealed: good for a login to every server that stores the
   *     same verifier
   */
  public record Proved(String text, ScramKeys keys) {}

  /**
   * Takes the client's first message. The user name in it is ignored: the startup packet's counts.
   *
   * @param serverNonce random, printable ASCII without comma; at least 18 bytes' worth
   * @throws ProtocolViolationException if it is malformed or asks for what is not spoken here
   */
  public ScramServer(ScramVerifier verifier, String serverNonce, String clientFirst) {
    this.verifier = verifier;
    int bare = bareStart(clientFirst);
    gs2Header = clientFirst.substring(0, bare);
    clientFirstBare = clientFirst.substring(bare);
    Attributes attributes = new Attributes(clientFirst, bare);
    if (attributes.hasNext('m')) {
      throw new ProtocolViolationException(
          SqlState.FEATURE_NOT_SUPPORTED, "client requires an unsupported SCRAM extension");
    }
    attributes.next('n');
    nonce = Attributes.nonce(attributes.next('r')) + Attributes.nonce(serverNonce);
  }

  /** The answer to that message. */
  public String challenge() {
    return "r=%s,s=%s,i=%d"
        .formatted(
            nonce,
            Base64.getEncoder().encodeToString(verifier.salt().toArray()),
            verifier.iterations());
  }

  /**
   * Takes the client's last message.
   *
   * @throws ProtocolViolationException with 28P01 if the client does not know the password
   */
  public Proved last(String clientFinal) {
    Attributes attributes = new Attributes(clientFinal, 0);
    String binding = attributes.next('c');
    // "y" would mean that the client thinks we lack channel binding, which is so.
    if (!Base64.getEncoder()
        .encodeToString(gs2Header.getBytes(StandardCharsets.UTF_8))
        .equals(binding)) {
      throw Attributes.malformed("channel binding does not match");
    }
    if (!attributes.next('r').equals(nonce)) {
      throw Attributes.malformed("nonce does not match");
    }
    int proofAt = clientFinal.lastIndexOf(",p=");
    if (proofAt < attributes.index() - 1) {
      throw Attributes.malformed("proof expected");
    }
    Attributes end = new Attributes(clientFinal, proofAt + 1);
    byte[] proof = Attributes.base64(end.next('p'));
    if (!end.atEnd() || proof.length != ScramKeys.KEY_BYTES) {
      throw Attributes.malformed("proof is not the last attribute of 32 bytes");
    }
    String authMessage =
        clientFirstBare + "," + challenge() + "," + clientFinal.substring(0, proofAt);
    ScramKeys keys = ScramKeys.ofProof(verifier, proof, authMessage);
    String signature = Base64.getEncoder().encodeToString(keys.serverSignature(authMessage));
    return new Proved("v=" + signature, keys);
  }

  /** Where the first message begins after its gs2 header. */
  private static int bareStart(String clientFirst) {
    if (clientFirst.startsWith("p=")) {
      throw Attributes.malformed("channel binding was not offered");
    }
    if (clientFirst.startsWith("n,a=") || clientFirst.startsWith("y,a=")) {
      throw new ProtocolViolationException(
          SqlState.FEATURE_NOT_SUPPORTED, "authorization identities are not supported");
    }
    if (!clientFirst.startsWith("n,,") && !clientFirst.startsWith("y,,")) {
      throw Attributes.malformed("header \"n,,\" or \"y,,\" expected");
    }
    return 3;
  }
}
