package io.shardmark.proxy.protocol.scram;

import io.shardmark.proxy.protocol.SqlState;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
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
   * @throws ScramException if it is malformed or asks for what is not spoken here
   */
  public String first(String clientFirst) {
    expect(State.INITIAL);
    int bare = bareStart(clientFirst);
    gs2Header = clientFirst.substring(0, bare);
    Attributes attributes = new Attributes(clientFirst, bare);
    if (attributes.hasNext('m')) {
      throw new ScramException(
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
   * @throws ScramException with 28P01 if the client does not know the password
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
      throw ScramException.malformed("channel binding does not match");
    }
    if (!attributes.next('r').equals(nonce)) {
      throw ScramException.malformed("nonce does not match");
    }
    int proofAt = clientFinal.lastIndexOf(",p=");
    if (proofAt < attributes.index() - 1) {
      throw ScramException.malformed("proof expected");
    }
    Attributes end = new Attributes(clientFinal, proofAt + 1);
    byte[] proof = Attributes.base64(end.next('p'));
    if (!end.atEnd() || proof.length != ScramCrypto.KEY_BYTES) {
      throw ScramException.malformed("proof is not the last attribute of 32 bytes");
    }
    String authMessage = authMessagePrefix + clientFinal.substring(0, proofAt);
    verify(proof, authMessage);
    byte[] signature = ScramCrypto.hmac(verifier.serverKey().toArray(), authMessage);
    return "v=" + Base64.getEncoder().encodeToString(signature);
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

  private void verify(byte[] proof, String authMessage) {
    byte[] storedKey = verifier.storedKey().toArray();
    byte[] clientKey = ScramCrypto.xor(proof, ScramCrypto.hmac(storedKey, authMessage));
    // isEqual takes the same time wherever they differ.
    if (!MessageDigest.isEqual(ScramCrypto.hash(clientKey), storedKey)) {
      throw new ScramException(SqlState.INVALID_PASSWORD, "password authentication failed");
    }
    keys = ScramKeys.ofProof(verifier, clientKey);
  }

  /** Where the first message begins behind its gs2 header. */
  private static int bareStart(String clientFirst) {
    if (clientFirst.startsWith("p=")) {
      throw ScramException.malformed("channel binding was not offered");
    }
    if (clientFirst.startsWith("n,a=") || clientFirst.startsWith("y,a=")) {
      throw new ScramException(
          SqlState.FEATURE_NOT_SUPPORTED, "authorization identities are not supported");
    }
    if (!clientFirst.startsWith("n,,") && !clientFirst.startsWith("y,,")) {
      throw ScramException.malformed("header \"n,,\" or \"y,,\" expected");
    }
    return 3;
  }

  private void expect(State expected) {
    if (state != expected) {
      throw new IllegalStateException("SCRAM exchange is " + state + ", not " + expected);
    }
  }
}
