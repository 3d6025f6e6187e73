package io.shardmark.proxy.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.shardmark.proxy.dialog.Expected;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.LeakCheck;
import io.shardmark.proxy.protocol.TraceReader;
import io.shardmark.proxy.protocol.TransactionStatus;
import io.shardmark.proxy.scripted.ScriptedPools;
import io.shardmark.proxy.scripted.ScriptedServer;
import io.shardmark.proxy.settings.Settings;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Whole exchanges with a server, as text. */
@ExtendWith(LeakCheck.class)
final class ServerConnectionTest {
  private final ScriptedPools pools = new ScriptedPools(1, ScriptedPools.limits(2));
  private final ShardPool pool = pools.pools().join("u").get(0);
  private final RecordingUser user = new RecordingUser();
  private final ScriptedServer script;
  private final ServerConnection server;

  ServerConnectionTest() {
    pool.acquire(new Taking(), user, Settings.NONE);
    script = pools.connector().accept();
    server = pool.servers().get(0);
  }

  @AfterEach
  void releaseWhatNobodyRead() {
    pools.connector().close();
  }

  private final class Taking implements PoolWaiter {
    @Override
    public void granted(ServerConnection granted) {
      pool.take(granted, user);
    }

    @Override
    public @Nullable Object holder() {
      return null;
    }

    @Override
    public boolean suits(ServerConnection server) {
      return true;
    }

    @Override
    public void refused(ErrorFields error) {
      throw new AssertionError(error);
    }
  }

  private void play(String exchange) {
    server.flush();
    script.play(exchange);
  }

  /** A statement of the client's, which gets all of the answer. */
  private void forwardedExecution() {
    FrontendMessages.bind(server.out(), "", "");
    server.expectBind(true);
    FrontendMessages.execute(server.out(), "", 0);
    server.expect(Expected.EXECUTE, null);
  }

  @Test
  void passesAWholeAnswerOnToTheClient() {
    server.query("select 1", AnswerHandler.FORWARD);
    play(
        """
        F Query 14 "select 1"
        B RowDescription "?column?"
        B DataRow 1 '1'
        B CommandComplete "SELECT 1"
        B ReadyForQuery I
        """);
    assertThat(user.got())
        .containsExactly(
            "B RowDescription 34 1 \"?column?\" 0 0 25 -1 -1 0",
            "B DataRow 12 1 '1'",
            "B CommandComplete 14 \"SELECT 1\"",
            "B ReadyForQuery 6 I");
    assertThat(user.heard()).containsExactly("ready IDLE", "read");
    assertThat(server.isQuiet()).isTrue();
  }

  /** The end of the server may come in one piece with the answer before it. */
  @Test
  void anAnswerIsSentOnThatTheEndOfTheServerFollows() {
    user.atReady(server -> pool.release(server, names -> {}));
    server.query("select 1", AnswerHandler.FORWARD);
    play(
        """
        F Query 14 "select 1"
        B CommandComplete "SELECT 1"
        B ReadyForQuery I
        B ErrorResponse S "FATAL" V "FATAL" C "57P01" M "terminating connection"
        """);
    assertThat(user.heard()).containsExactly("ready IDLE", "read");
  }

  @Test
  void anAnswerIsSentOnBeforeTheConnectionIsAnothers() {
    RecordingUser next = new RecordingUser();
    user.atReady(
        released -> {
          pool.release(released, names -> {});
          pool.acquire(new Taking(), next, Settings.NONE);
        });
    server.query("select 1", AnswerHandler.FORWARD);
    play(
        """
        F Query 14 "select 1"
        B CommandComplete "SELECT 1"
        B ReadyForQuery I
        B NoticeResponse S "WARNING" C "01000" M "careful"
        """);
    assertThat(user.heard()).containsExactly("ready IDLE", "read");
    assertThat(next.heard()).containsExactly("read");
  }

  @Test
  void givesACapturedAnswerToItsReceiver() {
    RecordingAnswer answer = new RecordingAnswer(AnswerHandler.HandlerUse.CAPTURE);
    server.query("begin", answer);
    play(
        """
        F Query 11 "begin"
        B NoticeResponse S "NOTICE" C "00000" M "hello"
        B CommandComplete "BEGIN"
        B ReadyForQuery T
        """);
    assertThat(answer.heard())
        .containsExactly(
            "B NoticeResponse 36 S \"NOTICE\" C \"00000\" M \"hello\"",
            "B CommandComplete 11 \"BEGIN\"",
            "B ReadyForQuery 6 T",
            "completed IN_TRANSACTION");
    assertThat(user.got()).isEmpty();
    assertThat(server.status()).isEqualTo(TransactionStatus.IN_TRANSACTION);
  }

  @Test
  void keepsTheEndOfAnAnswerFromTheClient() {
    RecordingAnswer answer = new RecordingAnswer(AnswerHandler.HandlerUse.FORWARD_WITHOUT_END);
    server.query("select 1", answer);
    play(
        """
        F Query 14 "select 1"
        B DataRow 1 '1'
        B CommandComplete "SELECT 1"
        B ReadyForQuery I
        """);
    assertThat(user.got()).containsExactly("B DataRow 12 1 '1'");
    assertThat(answer.heard())
        .containsExactly("B CommandComplete 14 \"SELECT 1\"", "completed IDLE");
  }

  @Test
  void passesTheErrorOfASwallowedAnswerOn() {
    RecordingAnswer answer = new RecordingAnswer(AnswerHandler.HandlerUse.SWALLOW);
    server.query("select 1", answer);
    play(
        """
        F Query 14 "select 1"
        B RowDescription "a"
        B ErrorResponse S "ERROR" C "22012" M "division by zero"
        B ReadyForQuery I
        """);
    assertThat(user.got())
        .containsExactly("B ErrorResponse 45 S \"ERROR\" C \"22012\" M \"division by zero\"");
    assertThat(user.heard()).containsExactly("failed", "read");
    assertThat(answer.heard()).containsExactly("completed IDLE");
  }

  @Test
  void skipsWhatFollowsAnErrorUpToSync() {
    RecordingAnswer parse = new RecordingAnswer(AnswerHandler.HandlerUse.SWALLOW);
    server.prepare(7, "select $1\0\0\0".getBytes(StandardCharsets.UTF_8), parse);
    forwardedExecution();
    server.sync(null);
    play(
        """
        F Parse 44 "shardmark_0000000000000007" "select $1" 0
        F Bind 13 "" "" 0 0 0
        F Execute 10 "" 0
        F Sync 5
        B ErrorResponse S "ERROR" C "42601" M "no"
        B ReadyForQuery I
        """);
    assertThat(parse.heard()).containsExactly("skipped");
    assertThat(user.got())
        .containsExactly(
            "B ErrorResponse 31 S \"ERROR\" C \"42601\" M \"no\"", "B ReadyForQuery 6 I");
    assertThat(user.heard())
        .containsExactly("Bind of answer 1 skipped", "failed", "ready IDLE", "read");
    assertThat(server.dialog().isPrepared(7)).isFalse();
  }

  @Test
  void waitsForTheClientsSyncAfterAnError() {
    forwardedExecution();
    play(
        """
        F Bind 13 "" "" 0 0 0
        F Execute 10 "" 0
        B BindComplete
        B ErrorResponse S "ERROR" C "22012" M "no"
        """);
    assertThat(user.heard()).containsExactly("failed until Sync", "read");
    assertThat(server.dialog().isSkippingToSync()).isTrue();
    RecordingAnswer skipped = new RecordingAnswer(AnswerHandler.HandlerUse.SWALLOW);
    server.query("select 2", skipped);
    assertThat(skipped.heard()).containsExactly("skipped");
    server.sync(null);
    play(
        """
        F Query 14 "select 2"
        F Sync 5
        B ReadyForQuery I
        """);
    assertThat(server.isQuiet()).isTrue();
  }

  @Test
  void anErrorOfBeginIsThatOfTheQueryAfterIt() {
    RecordingAnswer answer = new RecordingAnswer(AnswerHandler.HandlerUse.CAPTURE);
    server.dialog().enlisted();
    server.begin("");
    server.query("select 1", answer);
    assertThat(server.dialog().awaitsBegin()).isTrue();
    play(
        """
        F Parse 15 "" "BEGIN " 0
        F Bind 13 "" "" 0 0 0
        F Execute 10 "" 0
        F Query 14 "select 1"
        B ErrorResponse S "ERROR" C "57014" M "no"
        F Sync 5
        B ReadyForQuery I
        """);
    assertThat(answer.heard())
        .containsExactly(
            "B ErrorResponse 31 S \"ERROR\" C \"57014\" M \"no\"",
            "B ReadyForQuery 6 I",
            "completed IDLE");
    assertThat(server.dialog().isEnlisted()).isFalse();
    assertThat(server.dialog().awaitsBegin()).isFalse();
  }

  @Test
  void aBeginThatFailsWithoutAnAskerEndsTheConnection() {
    server.begin("");
    play(
        """
        F Parse 15 "" "BEGIN " 0
        F Bind 13 "" "" 0 0 0
        F Execute 10 "" 0
        B ErrorResponse S "ERROR" C "57014" M "no"
        """);
    assertThat(script.isClosed()).isTrue();
    assertThat(user.heard())
        .contains(
            "lost Owed[readies=0, errorSent=false, more=false, cutShort=false]: BEGIN has failed"
                + " there: no");
  }

  @Test
  void asksForAPortalBesideTheClients() {
    forwardedExecution();
    RecordingAnswer answer = new RecordingAnswer(AnswerHandler.HandlerUse.CAPTURE);
    server.command(List.of("savepoint a"), answer);
    play(
        """
        F Bind 13 "" "" 0 0 0
        F Execute 10 "" 0
        F Parse 20 "" "savepoint a" 0
        F Bind 27 "shardmark:own0" "" 0 0 0
        F Describe 21 P "shardmark:own0"
        F Execute 24 "shardmark:own0" 0
        F Close 21 P "shardmark:own0"
        F Sync 5
        B BindComplete
        B PortalSuspended
        B ParseComplete
        B BindComplete
        B NoData
        B CommandComplete "SAVEPOINT"
        B CloseComplete
        B ReadyForQuery T
        """);
    assertThat(user.got()).containsExactly("B BindComplete 5", "B PortalSuspended 5");
    assertThat(answer.heard())
        .contains("B CommandComplete 15 \"SAVEPOINT\"", "completed IN_TRANSACTION");
  }

  @Test
  void closesTheStatementUsedLongestAgoAfterTheNewOne() {
    byte[] definition = "x\0\0\0".getBytes(StandardCharsets.UTF_8);
    for (long statement = 1; statement <= 101; statement++) {
      server.prepare(statement, definition, AnswerHandler.SWALLOW);
    }
    server.flush();
    List<String> sent = script.received();
    assertThat(sent).hasSize(102);
    assertThat(sent.get(100)).isEqualTo("F Parse 36 \"shardmark_0000000000000065\" \"x\" 0");
    assertThat(sent.get(101)).isEqualTo("F Close 33 S \"shardmark_0000000000000001\"");
    assertThat(server.dialog().isPrepared(1)).isFalse();
    assertThat(server.dialog().isPrepared(2)).isTrue();
  }

  @Test
  void passesWhatNobodyAskedFor() {
    script.says(
        "B ParameterStatus \"TimeZone\" \"UTC\"",
        "B NotificationResponse 7 \"channel\" \"text\"",
        "B NoticeResponse S \"WARNING\" C \"01000\" M \"careful\"");
    assertThat(user.got())
        .containsExactly(
            "B ParameterStatus 18 \"TimeZone\" \"UTC\"",
            "B NotificationResponse 22 1007 \"channel\" \"text\"",
            "B NoticeResponse 40 S \"WARNING\" C \"01000\" M \"careful\"");
  }

  @Test
  void reportsWhatAStatementOfTheProxyHasChanged() {
    server.query("set timezone = 'UTC'", new RecordingAnswer(AnswerHandler.HandlerUse.CAPTURE));
    play(
        """
        F Query 26 "set timezone = 'UTC'"
        B CommandComplete "SET"
        B ParameterStatus "TimeZone" "UTC"
        B ReadyForQuery I
        """);
    assertThat(user.got()).isEmpty();
    assertThat(user.heard()).containsExactly("B ParameterStatus 18 \"TimeZone\" \"UTC\"", "read");
  }

  @Test
  void anAnswerThatNobodyAskedForEndsTheConnection() {
    script.says("B CommandComplete \"SELECT 1\"");
    assertThat(script.isClosed()).isTrue();
    assertThat(user.heard())
        .containsExactly(
            "lost Owed[readies=0, errorSent=false, more=false, cutShort=false]: the server broke"
                + " the protocol: CommandComplete although nothing was asked");
    assertThat(pool.openCount()).isZero();
  }

  @Test
  void aLostConnectionOwesWhatTheClientWaitsFor() {
    RecordingAnswer own = new RecordingAnswer(AnswerHandler.HandlerUse.CAPTURE);
    server.query("select 1", AnswerHandler.FORWARD);
    server.query("select 2", own);
    server.flush();
    script.says("B ErrorResponse S \"FATAL\" C \"57P01\" M \"terminating connection\"");
    script.breakOff();
    assertThat(own.heard()).containsExactly("lost");
    assertThat(user.heard())
        .contains(
            "lost Owed[readies=1, errorSent=false, more=false, cutShort=false]: terminating"
                + " connection");
  }

  @Test
  void streamsALongRowAndSaysSoIfItIsCutShort() {
    server.query("select repeat('x', 100000)", AnswerHandler.FORWARD);
    server.flush();
    String row = "B DataRow 1 '" + "x".repeat(100_000) + "'";
    ByteBuf message = Unpooled.buffer();
    TraceReader.write(message, row);
    script.channel().writeInbound(message.readRetainedSlice(50_000));
    assertThat(user.gotBytes()).isEqualTo(50_000);
    assertThat(server.isPassingMessage()).isTrue();
    ServerConnection other = server;
    script.breakOff();
    message.release();
    assertThat(other.isClosed()).isTrue();
    assertThat(user.heard())
        .anyMatch(line -> line.startsWith("lost Owed[readies=1") && line.contains("cutShort=true"));
  }

  @Test
  void aDroppedStatementSpoilsTheConnection() {
    server.query("select 1", AnswerHandler.FORWARD);
    play(
        """
        F Query 14 "select 1"
        B ErrorResponse S "ERROR" C "26000" M "prepared statement \\"shardmark_0000000000000007\\" does not exist"
        B ReadyForQuery I
        """);
    pool.release(server, names -> {});
    assertThat(script.isClosed()).isTrue();
  }

  @Test
  void givesWhatIsLeftBackToNobodyUntilACancelIsDelivered() {
    server.query("select 1", AnswerHandler.FORWARD);
    server.cancelQuery();
    play(
        """
        F Query 14 "select 1"
        B CommandComplete "SELECT 1"
        B ReadyForQuery I
        """);
    pool.release(server, names -> {});
    assertThat(pool.idleCount()).isZero();
    pools.connector().deliverCancel(ServerConnector.Delivery.OVER);
    assertThat(pool.idleCount()).isEqualTo(1);
  }

  @Test
  void aCancelThatMayComeLateEndsTheConnection() {
    server.query("select 1", AnswerHandler.FORWARD);
    server.cancelQuery();
    play(
        """
        F Query 14 "select 1"
        B CommandComplete "SELECT 1"
        B ReadyForQuery I
        """);
    pool.release(server, names -> {});
    pools.connector().deliverCancel(ServerConnector.Delivery.UNCERTAIN);
    assertThat(script.received()).containsExactly("F Terminate 5");
    assertThat(script.isClosed()).isTrue();
  }

  @Test
  void isNotHandedOutAgainWhileTheServerSkips() {
    forwardedExecution();
    server.query("select 1", AnswerHandler.SWALLOW);
    server.flush();
    script.received();
    script.says("B ErrorResponse S \"ERROR\" C \"22012\" M \"no\"");
    assertThat(server.isQuiet()).as("a Query would be skipped there").isFalse();
    pool.release(server, names -> {});
    assertThat(script.isClosed()).isTrue();
  }
}
