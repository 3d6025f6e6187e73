package io.shardmark.proxy.dialog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.proxy.protocol.BackendType;
import io.shardmark.proxy.protocol.ProtocolViolationException;
import io.shardmark.proxy.protocol.TransactionStatus;
import io.shardmark.proxy.settings.Settings;
import io.shardmark.proxy.shardmap.CustomParameters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Every pair of a state and an event: what comes of it, or who is at fault. */
final class ServerDialogTest {
  private static final Named OWN = new Named("own", false);
  private static final Named PASSED = new Named("passed", true);

  private record Named(String name, boolean passesAll) implements Asker {
    @Override
    public String toString() {
      return name;
    }
  }

  /** The states that differ in what may come next. */
  private enum State {
    NEW,
    PARSE,
    BIND,
    DESCRIBE_STATEMENT,
    DESCRIBE_PORTAL,
    EXECUTE,
    CLOSE,
    SYNC,
    QUERY,
    BEGIN,
    BEGIN_QUERY,
    /** A Query was sent after BEGIN. */
    BEGUN_BY_QUERY,
    /** All was answered, but no Sync sent. */
    UNSYNCED,
    /** The failed message was followed by a Sync. */
    TO_SYNC,
    SKIPPING,
    /** A message is being sent in pieces. */
    IN_MESSAGE,
    CLOSED;

    ServerDialog<Named> make() {
      ServerDialog<Named> dialog = new ServerDialog<>(Settings.NONE, 2);
      switch (this) {
        case NEW -> {}
        case BEGIN -> dialog.beginSent(OWN);
        case BEGIN_QUERY -> dialog.beginQuerySent(OWN);
        case BEGUN_BY_QUERY -> {
          dialog.beginSent(OWN);
          dialog.sent(Expected.QUERY, PASSED);
        }
        case UNSYNCED -> {
          dialog.sent(Expected.CLOSE, OWN);
          dialog.answer(BackendType.CLOSE_COMPLETE);
          dialog.answered();
        }
        case TO_SYNC -> {
          dialog.sent(Expected.EXECUTE, OWN);
          dialog.sent(Expected.SYNC, null);
          dialog.error();
        }
        case SKIPPING -> {
          dialog.sent(Expected.EXECUTE, OWN);
          dialog.error();
        }
        case IN_MESSAGE -> dialog.pieceSent(1);
        case CLOSED -> dialog.lost(false);
        default -> dialog.sent(Expected.valueOf(name()), OWN);
      }
      return dialog;
    }
  }

  private interface Event {
    Object on(ServerDialog<Named> dialog);
  }

  private record NamedEvent(String name, Event event) {}

  private static final List<NamedEvent> SENDING =
      List.of(
          new NamedEvent("parse", dialog -> dialog.sent(Expected.PARSE, OWN)),
          new NamedEvent("execute", dialog -> dialog.sent(Expected.EXECUTE, OWN)),
          new NamedEvent("sync", dialog -> dialog.sent(Expected.SYNC, OWN)),
          new NamedEvent("query", dialog -> dialog.sent(Expected.QUERY, OWN)),
          new NamedEvent("begin", dialog -> dialog.beginSent(OWN)),
          new NamedEvent("beginQuery", dialog -> dialog.beginQuerySent(OWN)));

  /** What comes of an event: the result and the state, or the fault. */
  private static String outcome(State state, Event event) {
    ServerDialog<Named> dialog = state.make();
    String before = dialog.toString();
    try {
      Object result = event.on(dialog);
      String[] now = dialog.toString().split(" ", -1);
      return result + ":" + now[1] + "," + now[2];
    } catch (IllegalStateException e) {
      assertThat(e).hasMessageContaining(" in state " + before.split(" owes", -1)[0]);
      return "illegal";
    } catch (ProtocolViolationException e) {
      assertThat(dialog).as("state after a violation").hasToString(before);
      return "violation";
    }
  }

  private static String table(List<String> columns, List<List<String>> rows) {
    StringBuilder text = new StringBuilder();
    List<List<String>> all = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of("state"));
    head.addAll(columns);
    all.add(head);
    all.addAll(rows);
    for (List<String> row : all) {
      text.append(String.join(" ", row)).append('\n');
    }
    return text.toString();
  }

  /** By row of a state and column of an event: whether an answer is owed, position and cycle. */
  @Test
  void sendsInEveryState() {
    List<List<String>> rows = new ArrayList<>();
    for (State state : State.values()) {
      List<String> row = new ArrayList<>(List.of(state.name()));
      SENDING.forEach(one -> row.add(outcome(state, one.event())));
      rows.add(row);
    }
    assertThat(table(SENDING.stream().map(NamedEvent::name).toList(), rows))
        .isEqualTo(
            """
            state parse execute sync query begin beginQuery
            NEW true:UNSYNCED,CLEAN true:UNSYNCED,CLEAN true:SYNCED,CLEAN true:SYNCED,CLEAN true:UNSYNCED,BEGINNING true:SYNCED,BEGINNING
            PARSE true:UNSYNCED,CLEAN true:UNSYNCED,CLEAN true:SYNCED,CLEAN true:SYNCED,CLEAN illegal illegal
            BIND true:UNSYNCED,CLEAN true:UNSYNCED,CLEAN true:SYNCED,CLEAN true:SYNCED,CLEAN illegal illegal
            DESCRIBE_STATEMENT true:UNSYNCED,CLEAN true:UNSYNCED,CLEAN true:SYNCED,CLEAN true:SYNCED,CLEAN illegal illegal
            DESCRIBE_PORTAL true:UNSYNCED,CLEAN true:UNSYNCED,CLEAN true:SYNCED,CLEAN true:SYNCED,CLEAN illegal illegal
            EXECUTE true:UNSYNCED,CLEAN true:UNSYNCED,CLEAN true:SYNCED,CLEAN true:SYNCED,CLEAN illegal illegal
            CLOSE true:UNSYNCED,CLEAN true:UNSYNCED,CLEAN true:SYNCED,CLEAN true:SYNCED,CLEAN illegal illegal
            SYNC true:UNSYNCED,CLEAN true:UNSYNCED,CLEAN true:SYNCED,CLEAN true:SYNCED,CLEAN illegal illegal
            QUERY true:UNSYNCED,CLEAN true:UNSYNCED,CLEAN true:SYNCED,CLEAN true:SYNCED,CLEAN illegal illegal
            BEGIN true:UNSYNCED,BEGINNING true:UNSYNCED,BEGINNING true:SYNCED,BEGINNING true:SYNCED,BEGINNING illegal illegal
            BEGIN_QUERY true:UNSYNCED,BEGINNING true:UNSYNCED,BEGINNING true:SYNCED,BEGINNING true:SYNCED,BEGINNING illegal illegal
            BEGUN_BY_QUERY true:UNSYNCED,BEGINNING true:UNSYNCED,BEGINNING true:SYNCED,BEGINNING true:SYNCED,BEGINNING illegal illegal
            UNSYNCED true:UNSYNCED,CLEAN true:UNSYNCED,CLEAN true:SYNCED,CLEAN true:SYNCED,CLEAN true:UNSYNCED,BEGINNING true:SYNCED,BEGINNING
            TO_SYNC true:UNSYNCED,FAILED true:UNSYNCED,FAILED true:SYNCED,FAILED true:SYNCED,FAILED illegal illegal
            SKIPPING false:SKIPPING,FAILED false:SKIPPING,FAILED true:SYNCED,FAILED false:SKIPPING,FAILED false:SKIPPING,BEGIN_FAILED false:SKIPPING,BEGIN_FAILED
            IN_MESSAGE illegal illegal illegal illegal illegal illegal
            CLOSED false:UNSYNCED,CLEAN false:UNSYNCED,CLEAN false:SYNCED,CLEAN false:SYNCED,CLEAN false:UNSYNCED,BEGIN_FAILED false:SYNCED,BEGIN_FAILED
            """);
  }

  /** By row of a state and column of a message: whether it ends an answer. */
  @Test
  void takesEveryAnswerInEveryState() {
    List<String> types = Arrays.stream(BackendType.values()).map(BackendType::messageName).toList();
    StringBuilder text = new StringBuilder();
    for (State state : State.values()) {
      List<String> ends = new ArrayList<>();
      List<String> more = new ArrayList<>();
      List<String> illegal = new ArrayList<>();
      for (BackendType type : BackendType.values()) {
        String outcome = outcome(state, dialog -> dialog.answer(type));
        if (outcome.startsWith("true")) {
          ends.add(type.messageName());
        } else if (outcome.startsWith("false")) {
          more.add(type.messageName());
        } else if (outcome.equals("illegal")) {
          illegal.add(type.messageName());
        }
      }
      text.append(state)
          .append(": ends ")
          .append(ends)
          .append(" more ")
          .append(more)
          .append(illegal.size() == types.size() ? " illegal" : " violations")
          .append('\n');
    }
    assertThat(text)
        .hasToString(
            """
            NEW: ends [] more [] violations
            PARSE: ends [ParseComplete] more [] violations
            BIND: ends [BindComplete] more [] violations
            DESCRIBE_STATEMENT: ends [NoData, RowDescription] more [ParameterDescription] violations
            DESCRIBE_PORTAL: ends [NoData, RowDescription] more [] violations
            EXECUTE: ends [CommandComplete, EmptyQueryResponse, PortalSuspended] more [CopyData, CopyDone, CopyInResponse, CopyOutResponse, DataRow] violations
            CLOSE: ends [CloseComplete] more [] violations
            SYNC: ends [ReadyForQuery] more [] violations
            QUERY: ends [ReadyForQuery] more [CommandComplete, CopyData, CopyDone, CopyInResponse, CopyOutResponse, DataRow, EmptyQueryResponse, FunctionCallResponse, NoData, RowDescription] violations
            BEGIN: ends [CommandComplete] more [BindComplete, ParseComplete] violations
            BEGIN_QUERY: ends [ReadyForQuery] more [CommandComplete, CopyData, CopyDone, CopyInResponse, CopyOutResponse, DataRow, EmptyQueryResponse, FunctionCallResponse, NoData, RowDescription] violations
            BEGUN_BY_QUERY: ends [CommandComplete] more [BindComplete, ParseComplete] violations
            UNSYNCED: ends [] more [] violations
            TO_SYNC: ends [ReadyForQuery] more [] violations
            SKIPPING: ends [] more [] violations
            IN_MESSAGE: ends [] more [] violations
            CLOSED: ends [] more [] illegal
            """);
  }

  /** By row of a state: what an error there means. */
  @Test
  void failsInEveryState() {
    StringBuilder text = new StringBuilder();
    for (State state : State.values()) {
      text.append(state).append(' ').append(outcome(state, ServerDialog::error)).append('\n');
    }
    assertThat(text)
        .hasToString(
            """
            NEW violation
            PARSE Failure[asker=own, reach=SYNC_TO_COME, skipped=[own], bindsSkipped=[], remedy=NONE]:SKIPPING,FAILED
            BIND Failure[asker=own, reach=SYNC_TO_COME, skipped=[own], bindsSkipped=[0], remedy=NONE]:SKIPPING,FAILED
            DESCRIBE_STATEMENT Failure[asker=own, reach=SYNC_TO_COME, skipped=[own], bindsSkipped=[], remedy=NONE]:SKIPPING,FAILED
            DESCRIBE_PORTAL Failure[asker=own, reach=SYNC_TO_COME, skipped=[own], bindsSkipped=[], remedy=NONE]:SKIPPING,FAILED
            EXECUTE Failure[asker=own, reach=SYNC_TO_COME, skipped=[own], bindsSkipped=[], remedy=NONE]:SKIPPING,FAILED
            CLOSE Failure[asker=own, reach=SYNC_TO_COME, skipped=[own], bindsSkipped=[], remedy=NONE]:SKIPPING,FAILED
            SYNC Failure[asker=own, reach=NOTHING, skipped=[], bindsSkipped=[], remedy=NONE]:SYNCED,FAILED
            QUERY Failure[asker=own, reach=NOTHING, skipped=[], bindsSkipped=[], remedy=NONE]:SYNCED,FAILED
            BEGIN Failure[asker=null, reach=NOTHING, skipped=[], bindsSkipped=[], remedy=CLOSE]:UNSYNCED,BEGIN_FAILED
            BEGIN_QUERY Failure[asker=own, reach=NOTHING, skipped=[], bindsSkipped=[], remedy=NONE]:SYNCED,BEGINNING_FAILED
            BEGUN_BY_QUERY Failure[asker=passed, reach=NOTHING, skipped=[], bindsSkipped=[], remedy=SEND_SYNC]:SYNCED,BEGIN_FAILED
            UNSYNCED violation
            TO_SYNC Failure[asker=null, reach=NOTHING, skipped=[], bindsSkipped=[], remedy=NONE]:SYNCED,FAILED
            SKIPPING violation
            IN_MESSAGE violation
            CLOSED illegal
            """);
  }

  /** By row of a state: what ReadyForQuery there means. */
  @Test
  void isReadyInEveryState() {
    StringBuilder text = new StringBuilder();
    for (State state : State.values()) {
      text.append(state)
          .append(' ')
          .append(
              outcome(
                  state,
                  dialog -> {
                    dialog.ready(TransactionStatus.IDLE);
                    dialog.readyHandled();
                    return dialog.isQuiet() ? "quiet" : "busy";
                  }))
          .append('\n');
    }
    assertThat(text)
        .hasToString(
            """
            NEW violation
            PARSE violation
            BIND violation
            DESCRIBE_STATEMENT violation
            DESCRIBE_PORTAL violation
            EXECUTE violation
            CLOSE violation
            SYNC quiet:SYNCED,CLEAN
            QUERY quiet:SYNCED,CLEAN
            BEGIN violation
            BEGIN_QUERY quiet:SYNCED,CLEAN
            BEGUN_BY_QUERY violation
            UNSYNCED violation
            TO_SYNC quiet:SYNCED,CLEAN
            SKIPPING violation
            IN_MESSAGE violation
            CLOSED illegal
            """);
  }

  /** By row of a custody: after keep, keepNothing, spoil, close. */
  @Test
  void changesCustodyInEveryState() {
    StringBuilder text = new StringBuilder();
    for (Custody one : Custody.values()) {
      text.append(one)
          .append(": ")
          .append(List.of(one.kept(), one.keptNothing(), one.spoiled(), one.closed()))
          .append('\n');
    }
    assertThat(text)
        .hasToString(
            """
            FREE: [KEPT, FREE, SPOILED, CLOSED]
            KEPT: [KEPT, FREE, KEPT_SPOILED, KEPT_CLOSED]
            SPOILED: [KEPT_SPOILED, SPOILED, SPOILED, CLOSED]
            KEPT_SPOILED: [KEPT_SPOILED, SPOILED, KEPT_SPOILED, KEPT_CLOSED]
            CLOSED: [KEPT_CLOSED, CLOSED, CLOSED, CLOSED]
            KEPT_CLOSED: [KEPT_CLOSED, CLOSED, KEPT_CLOSED, KEPT_CLOSED]
            """);
  }

  @Test
  void isReusedOnlyIfNothingIsLeftOnIt() {
    List<String> reusable =
        Arrays.stream(State.values())
            .filter(state -> state.make().isReusable())
            .map(State::name)
            .toList();
    assertThat(reusable).containsExactly("NEW");
    ServerDialog<Named> kept = State.NEW.make();
    kept.keep();
    assertThat(kept.isReusable()).isFalse();
    kept.keepNothing();
    assertThat(kept.isReusable()).isTrue();
    kept.spoil();
    assertThat(kept.isReusable()).isFalse();
  }

  @Test
  void isNotQuietWhileTheServerSkipsAQuery() {
    ServerDialog<Named> dialog = State.EXECUTE.make();
    dialog.sent(Expected.QUERY, PASSED);
    Failure<Named> failure = dialog.error();
    assertThat(failure.skipped()).containsExactly(OWN, PASSED);
    assertThat(failure.reach()).isEqualTo(SkipReach.SYNC_TO_COME);
    assertThat(dialog.hasAnswered()).isTrue();
    assertThat(dialog.isQuiet()).isFalse();
    assertThat(dialog.isUnsynced()).isTrue();
  }

  @Test
  void saysHowFarTheClientsMessagesAreSkipped() {
    ServerDialog<Named> ownSync = State.EXECUTE.make();
    ownSync.sent(Expected.SYNC, OWN);
    assertThat(ownSync.error().reach()).isEqualTo(SkipReach.SYNC_TO_COME);
    ServerDialog<Named> clientSync = State.EXECUTE.make();
    clientSync.sent(Expected.SYNC, null);
    assertThat(clientSync.error().reach()).isEqualTo(SkipReach.SYNC_SENT);
    assertThat(State.QUERY.make().error().reach()).isEqualTo(SkipReach.NOTHING);
  }

  @Test
  void namesTheBindsThatMakeNoPortal() {
    ServerDialog<Named> dialog = State.PARSE.make();
    dialog.clientBindSent(null);
    dialog.sent(Expected.BIND, OWN);
    assertThat(dialog.error().bindsSkipped()).containsExactly(1L, 2L);
  }

  @Test
  void closesWhatWasPreparedLongestAgo() {
    ServerDialog<Named> dialog = State.NEW.make();
    for (long statement = 1; statement <= 2; statement++) {
      dialog.parseSent(statement, OWN);
      assertThat(dialog.evicted()).isEqualTo(ServerDialog.NONE);
    }
    assertThat(dialog.isPrepared(1)).isTrue(); // a use
    dialog.parseSent(3, OWN);
    assertThat(dialog.evicted()).isEqualTo(2);
    dialog.closeSent(2, OWN);
    assertThat(dialog.isPrepared(2)).isFalse();
    dialog.error();
    assertThat(List.of(dialog.isPrepared(1), dialog.isPrepared(2), dialog.isPrepared(3)))
        .as("the first has failed, the others are skipped")
        .containsOnly(false);
  }

  @Test
  void isSpoiledIfALaterParseTookASkippedCloseForDone() {
    ServerDialog<Named> dialog = State.NEW.make();
    dialog.parseSent(1, OWN);
    dialog.answer(BackendType.PARSE_COMPLETE);
    dialog.answered();
    dialog.sent(Expected.EXECUTE, OWN);
    dialog.closeSent(1, OWN);
    dialog.sent(Expected.SYNC, null);
    dialog.parseSent(1, OWN);
    assertThat(dialog.isSpoiled()).isFalse();
    dialog.error();
    assertThat(dialog.isSpoiled()).isTrue();
  }

  @Test
  void countsWhatTheClientWaitsForAtTheLoss() {
    ServerDialog<Named> dialog = State.NEW.make();
    dialog.sent(Expected.QUERY, null);
    dialog.sent(Expected.SYNC, OWN);
    dialog.sent(Expected.EXECUTE, null);
    assertThat(dialog.copy().lost(false)).isEqualTo(new Owed(1, false, true, false));
    dialog.error();
    assertThat(dialog.lost(true)).isEqualTo(new Owed(1, true, true, true));
    assertThat(dialog.lostAnswer()).isNull();
    assertThat(dialog.lostAnswer()).isEqualTo(OWN);
    assertThat(dialog.lostAnswer()).isNull();
    assertThat(dialog.hasAnswered()).isTrue();
    assertThat(dialog.sent(Expected.QUERY, OWN)).as("answered after the loss").isFalse();
  }

  @Test
  void settingsCountFromTheCommitOn() {
    ServerDialog<Named> dialog = State.QUERY.make();
    dialog.ready(TransactionStatus.IN_TRANSACTION);
    dialog.changed(before -> before.set("search_path", Optional.of("a")));
    assertThat(dialog.hasOpenSettings()).isTrue();
    ServerDialog<Named> rolledBack = dialog.copy();
    rolledBack.sent(Expected.QUERY, OWN);
    rolledBack.ready(TransactionStatus.IDLE);
    assertThat(rolledBack.settings().base()).isEqualTo(Settings.NONE);
    dialog.sent(Expected.QUERY, OWN);
    dialog.completed("COMMIT");
    dialog.ready(TransactionStatus.IDLE);
    assertThat(dialog.settings().base()).isEqualTo(Settings.of(Map.of("search_path", "a")));
    dialog.mayHaveSet(CustomParameters.NONE);
    assertThat(dialog.settings().base().isUnknown()).isFalse();
    dialog.left();
    assertThat(dialog.settings().base().isUnknown()).isTrue();
    assertThat(dialog.hasUnseenSettings()).isFalse();
  }

  @Test
  void cancelsAreCounted() {
    ServerDialog<Named> dialog = State.QUERY.make();
    dialog.cancelSent();
    dialog.cancelSent();
    dialog.cancelDelivered();
    assertThat(dialog.isBeingCancelled()).isTrue();
    dialog.cancelDelivered();
    assertThat(dialog.isBeingCancelled()).isFalse();
    assertThatThrownBy(dialog::cancelDelivered)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("cancel delivered in state FREE SYNCED CLEAN");
  }

  @Test
  void membershipOutlivesNoBeginThatFailed() {
    ServerDialog<Named> dialog = State.BEGIN.make();
    dialog.enlisted();
    dialog.wrote();
    dialog.sent(Expected.QUERY, PASSED);
    assertThat(dialog.error().remedy()).isEqualTo(Failure.Remedy.SEND_SYNC);
    assertThat(dialog.isEnlisted()).isTrue();
    dialog.ready(TransactionStatus.IDLE);
    assertThat(dialog.isEnlisted()).isFalse();
    assertThat(dialog.hasWritten()).isTrue();
    dialog.released();
    assertThat(dialog.hasWritten()).isFalse();
    assertThat(dialog.hasNotified()).isFalse();
  }
}
