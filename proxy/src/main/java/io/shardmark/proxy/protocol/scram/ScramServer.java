package io.shardmark.proxy.protocol.scram;

import io.shardmark.proxy.protocol.ProtocolViolationException;
import io.shardmark.proxy.protocol.SqlState;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** The server's side of one exchange: proves the client, and the server to the client. */
public final class ScramServer {
  /** The mechanism's name. */
  public static final String MECHANISM = "SCRAM-SHA-256";

  private enum State {
    INITIAL,
    CHALLENGED,
    DONE
  }

  private final ScramVerifier verifier;
  private final String serverNonce;
  private State state = State.INITIAL;
  private String gs2Header = "";
  private String nonce = "";
  private String authMessagePrefix = "";
  private @Nullable ScramKeys keys;

  /**
   * @param serverNonce random, printable ASCII without comma; at least 18 bytes' worth
   */
  public ScramServer(ScramVerifier verifier, String serverNonce) {
    this.verifier = verifier;
    this.serverNonce = Attributes.nonce(serverNonce);
  }

  /**
   * Takes the client's first message and gives the answer. The user name in it is ignored: the
   * startup packet's counts.
   *
   * @throws ProtocolViolationException if it is malformed or asks for what is not spoken here
   */
  public String first(String clientFirst) {
    expect(State.INITIAL);
    int bare = bareStart(clientFirst);
    gs2Header = clientFirst.substring(0, bare);
    Attributes attributes = new Attributes(clientFirst, bare);
    if (attributes.hasNext('m')) {
      throw new ProtocolViolationException(
          SqlState.FEATURE_NOT_SUPPORTED, "client requires an unsupported SCRAM extension");
    }
    attributes.next('n');
    nonce = Attributes.nonce(attributes.next('r')) + serverNonce;
    String serverFirst =
        "r=%s,s=%s,i=%d"
            .formatted(
                nonce,
                Base64.getEncoder().encodeToString(verifier.salt().toArray()),
                verifier.iterations());
    authMessagePrefix = clientFirst.substring(bare) + "," + serverFirst + ",";
    state = State.CHALLENGED;
    return serverFirst;
  }

  /**
   * Takes the client's last message and gives the server's own proof.
   *
   * @throws ProtocolViolationException with 28P01 if the client does not know the password
   */
  public String last(String clientFinal) {
    expect(State.CHALLENGED);
    state = State.DONE;
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
    String authMessage = authMessagePrefix + clientFinal.substring(0, proofAt);
    ScramKeys proved = ScramKeys.ofProof(verifier, proof, authMessage);
    keys = proved;
    return "v=" + Base64.getEncoder().encodeToString(proved.serverSignature(authMessage));
  }

  /**
   * The keys that the client's proof revealed, once {@link #last} has accepted it: good for a login
   * to every server that stores the same verifier.
   */
  public ScramKeys keys() {
    if (keys == null) {
      throw new IllegalStateException("the client has not been proved");
    }
    return keys;
  }

  /** Where the first message begins behind its gs2 header. */
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

  private void expect(State expected) {
    if (state != expected) {
      throw new IllegalStateException("SCRAM exchange is " + state + ", not " + expected);
    }
  }
}
