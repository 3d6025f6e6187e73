package io.shardmark.proxy.protocol.scram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.proxy.protocol.Bytes;
import io.shardmark.proxy.protocol.ProtocolViolationException;
import io.shardmark.proxy.protocol.SqlState;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScramTest {
  // RFC 7677 section 3.
  private static final String CLIENT_NONCE = "rOprNGfwEbeRWgbNEkqO";
  private static final String SERVER_NONCE = "%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0";
  private static final Bytes SALT =
      Bytes.of(Base64.getDecoder().decode("W22ZaJ0SNY7soEsUEjb6gQ=="));
  private static final String CLIENT_FIRST = "n,,n=user,r=" + CLIENT_NONCE;
  private static final String SERVER_FIRST =
      "r=" + CLIENT_NONCE + SERVER_NONCE + ",s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096";
  private static final String CLIENT_FINAL =
      "c=biws,r=" + CLIENT_NONCE + SERVER_NONCE + ",p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=";
  private static final String SERVER_FINAL = "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=";
  private static final ScramVerifier VERIFIER = ScramVerifier.ofPassword("pencil", SALT);

  @Test
  void serverGivesTheAnswersOfTheRfc() {
    ScramServer server = new ScramServer(VERIFIER, SERVER_NONCE, CLIENT_FIRST);
    assertThat(server.challenge()).isEqualTo(SERVER_FIRST);
    assertThat(server.last(CLIENT_FINAL).text()).isEqualTo(SERVER_FINAL);
  }

  @Test
  void clientGivesTheAnswersOfTheRfc() {
    ScramClient client = new ScramClient("user", CLIENT_NONCE);
    assertThat(client.first()).isEqualTo(CLIENT_FIRST);
    ScramClient.Challenge challenge = client.challenge(SERVER_FIRST);
    ScramKeys keys = ScramKeys.derive("pencil", challenge.salt(), challenge.iterations());
    ScramClient.ScramAnswer answer = client.answer(challenge, keys);
    assertThat(answer.text()).isEqualTo(CLIENT_FINAL);
    answer.check(SERVER_FINAL);
  }

  @Test
  void aClientsProofOpensOtherServersWithTheSameVerifier() {
    ScramServer server = new ScramServer(VERIFIER, SERVER_NONCE, CLIENT_FIRST);
    ScramKeys keys = server.last(CLIENT_FINAL).keys();

    ScramClient client = new ScramClient("", "nonce");
    ScramServer shard = new ScramServer(VERIFIER, "another", client.first());
    ScramClient.ScramAnswer answer = client.answer(client.challenge(shard.challenge()), keys);
    answer.check(shard.last(answer.text()).text());
  }

  @Test
  void refusesAWrongPassword() {
    ScramClient client = new ScramClient("", CLIENT_NONCE);
    ScramServer server = new ScramServer(VERIFIER, SERVER_NONCE, client.first());
    ScramClient.Challenge challenge = client.challenge(server.challenge());
    ScramKeys wrong = ScramKeys.derive("pencils", challenge.salt(), challenge.iterations());
    String proof = client.answer(challenge, wrong).text();
    assertThatThrownBy(() -> server.last(proof))
        .isInstanceOfSatisfying(
            ProtocolViolationException.class,
            e -> assertThat(e.sqlState()).isEqualTo(SqlState.INVALID_PASSWORD));
  }

  @Test
  void aUserWhoDoesNotExistGetsTheSameSaltEachTimeAndNoWayIn() {
    Bytes secret = Bytes.ofText("secret of the process");
    ScramVerifier mock = ScramVerifier.mock(secret, "nobody");
    assertThat(ScramVerifier.mock(secret, "nobody")).isEqualTo(mock);
    assertThat(ScramVerifier.mock(secret, "noone").salt()).isNotEqualTo(mock.salt());
    assertThat(mock.salt().length()).isEqualTo(ScramVerifier.SALT_BYTES);
    assertThat(mock.iterations()).isEqualTo(ScramVerifier.DEFAULT_ITERATIONS);

    ScramServer server = new ScramServer(mock, SERVER_NONCE, CLIENT_FIRST);
    assertThatThrownBy(() -> server.last(CLIENT_FINAL))
        .isInstanceOf(ProtocolViolationException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "n",
        "n,,",
        "n,,r=abc",
        "n,,n=user",
        "n,,n=user,r=",
        "n,,n=user,r=a b",
        "n,,n=user,r=\u00e4",
        "n,a=other,n=user,r=abc",
        "p=tls-server-end-point,,n=user,r=abc",
        "n,,m=ext,n=user,r=abc",
        "x,,n=user,r=abc"
      })
  void refusesFirstMessages(String clientFirst) {
    assertThatThrownBy(() -> new ScramServer(VERIFIER, SERVER_NONCE, clientFirst))
        .isInstanceOf(ProtocolViolationException.class);
  }

  @Test
  void refusesLastMessages() {
    String nonce = CLIENT_NONCE + SERVER_NONCE;
    String proof = CLIENT_FINAL.substring(CLIENT_FINAL.indexOf(",p="));
    for (String last :
        List.of(
            "",
            "c=biws",
            "c=biws,r=" + nonce,
            "c=eSws,r=" + nonce + proof,
            "c=biws,r=" + CLIENT_NONCE + proof,
            "c=biws,r=" + nonce + "x" + proof,
            "c=biws,r=" + nonce + ",p=",
            "c=biws,r=" + nonce + ",p=AAAA",
            "c=biws,r=" + nonce + ",p=*",
            "c=biws,r=" + nonce + proof + ",x=1",
            "p=AAAA")) {
      ScramServer server = new ScramServer(VERIFIER, SERVER_NONCE, CLIENT_FIRST);
      assertThatThrownBy(() -> server.last(last))
          .as(last)
          .isInstanceOf(ProtocolViolationException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "r=other,s=W22Z,i=4096",
        "r=" + CLIENT_NONCE + ",s=W22Z,i=4096", // nothing of the server's own
        "r=" + CLIENT_NONCE + "x,s=,i=4096",
        "r=" + CLIENT_NONCE + "x,s=*,i=4096",
        "r=" + CLIENT_NONCE + "x,s=W22Z,i=0",
        "r=" + CLIENT_NONCE + "x,s=W22Z,i=-1",
        "r=" + CLIENT_NONCE + "x,s=W22Z,i=2000001",
        "r=" + CLIENT_NONCE + "x,s=W22Z"
      })
  void refusesChallenges(String serverFirst) {
    ScramClient client = new ScramClient("", CLIENT_NONCE);
    assertThatThrownBy(() -> client.challenge(serverFirst))
        .isInstanceOf(ProtocolViolationException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"v=AAAA", "e=other-error", "", SERVER_FINAL + "x"})
  void refusesAServerThatDoesNotKnowThePassword(String serverFinal) {
    ScramClient client = new ScramClient("user", CLIENT_NONCE);
    ScramClient.Challenge challenge = client.challenge(SERVER_FIRST);
    ScramClient.ScramAnswer answer =
        client.answer(challenge, ScramKeys.derive("pencil", SALT, 4096));
    assertThatThrownBy(() -> answer.check(serverFinal))
        .isInstanceOf(ProtocolViolationException.class);
  }

  @Test
  void readsAndWritesTheStoredForm() {
    String stored = VERIFIER.stored();
    assertThat(stored).startsWith("SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$");
    assertThat(ScramVerifier.parse(stored)).isEqualTo(VERIFIER);
    assertThat(VERIFIER.toString()).doesNotContain("W22Z");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "pencil",
        "md5c5a1d2f3",
        "SCRAM-SHA-256$4096:W22Z$AAAA:AAAA",
        "SCRAM-SHA-256$0:W22Z$AAAA:AAAA",
        "SCRAM-SHA-256$4096:*$AAAA:AAAA"
      })
  void refusesWhatIsNoVerifier(String text) {
    assertThatThrownBy(() -> ScramVerifier.parse(text))
        .isInstanceOf(IllegalArgumentException.class);
  }

  // RFC 4013 section 3, spaces, and passwords that cannot be prepared: a control, writing
  // directions
  // mixed, a code point that Unicode 3.2 had not, nothing left.
  @ParameterizedTest
  @CsvSource({
    "I\u00adX, IX",
    "user, user",
    "USER, USER",
    "\u00aa, a",
    "\u2168, IX",
    "a\u00a0b, a b",
    "a\u200bb, a b",
    "a\u0007\u00e4, a\u0007\u00e4",
    "\u06271, \u06271",
    "\u0221\u00aa, \u0221\u00aa",
    "\u00ad, \u00ad"
  })
  void preparesPasswords(String password, String prepared) {
    assertThat(ScramKeys.prepared(password)).isEqualTo(prepared);
  }
}
