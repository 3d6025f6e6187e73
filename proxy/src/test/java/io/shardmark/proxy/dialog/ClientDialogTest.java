package io.shardmark.proxy.dialog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.proxy.dialog.ClientDialog.AtSync;
import io.shardmark.proxy.dialog.ClientDialog.Lifetime;
import io.shardmark.proxy.dialog.ClientDialog.QueryState;
import io.shardmark.proxy.dialog.ClientDialog.Reception;
import io.shardmark.proxy.protocol.FrontendType;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every pair of a state and an event. */
final class ClientDialogTest {
  private static final Map<ClientDialog.DialogProgress, Consumer<ClientDialog>> WAYS =
      new EnumMap<>(ClientDialog.DialogProgress.class);
  private static final Map<String, Consumer<ClientDialog>> EVENTS = new LinkedHashMap<>();

  static {
    WAYS.put(ClientDialog.DialogProgress.NOTHING_DONE, dialog -> {});
    WAYS.put(ClientDialog.DialogProgress.BOUND, ClientDialog::bindOnServer);
    WAYS.put(ClientDialog.DialogProgress.EXECUTING, ClientDialog::executeOnProxy);
    WAYS.put(
        ClientDialog.DialogProgress.BOUND_EXECUTING,
        dialog -> {
          dialog.bindOnServer();
          dialog.executeOnProxy();
        });
    WAYS.put(ClientDialog.DialogProgress.EXECUTED, ClientDialog::executeOnServer);
    WAYS.put(ClientDialog.DialogProgress.SKIPPING, dialog -> dialog.fail(false));
    WAYS.put(ClientDialog.DialogProgress.BROKEN_OFF, dialog -> dialog.fail(true));
    EVENTS.put("message", ClientDialog::beginMessage);
    EVENTS.put("bind", ClientDialog::bindOnServer);
    EVENTS.put("query bound", ClientDialog::bindQueryOfProxy);
    EVENTS.put("execute on proxy", ClientDialog::executeOnProxy);
    EVENTS.put("sync", dialog -> dialog.sync(false, false));
    EVENTS.put("transaction over", ClientDialog::transactionOver);
    EVENTS.put("error", dialog -> dialog.fail(false));
    EVENTS.put("error, undo", dialog -> dialog.fail(true));
    EVENTS.put("server's error", dialog -> dialog.serverFailed(false));
    EVENTS.put("server's error, skips", dialog -> dialog.serverFailed(true));
  }

  private static ClientDialog in(ClientDialog.DialogProgress progress) {
    ClientDialog dialog = new ClientDialog();
    dialog.ready();
    Objects.requireNonNull(WAYS.get(progress)).accept(dialog);
    assertThat(dialog.progress()).isEqualTo(progress);
    return dialog;
  }

  @Test
  void everyEventInEveryProgress() {
    String table =
        WAYS.keySet().stream()
            .map(
                progress ->
                    EVENTS.entrySet().stream()
                        .map(
                            event -> {
                              ClientDialog dialog = in(progress);
                              event.getValue().accept(dialog);
                              return progress + ", " + event.getKey() + ": " + dialog.progress();
                            })
                        .filter(line -> !line.endsWith(": " + progress))
                        .collect(Collectors.joining("\n")))
            .collect(Collectors.joining("\n"));
    // What is not in the table stays as it is.
    assertThat(table)
        .isEqualTo(
            """
            NOTHING_DONE, bind: BOUND
            NOTHING_DONE, execute on proxy: EXECUTING
            NOTHING_DONE, error: SKIPPING
            NOTHING_DONE, error, undo: BROKEN_OFF
            NOTHING_DONE, server's error, skips: SKIPPING
            BOUND, execute on proxy: BOUND_EXECUTING
            BOUND, sync: NOTHING_DONE
            BOUND, transaction over: NOTHING_DONE
            BOUND, error: SKIPPING
            BOUND, error, undo: BROKEN_OFF
            BOUND, server's error, skips: SKIPPING
            EXECUTING, message: EXECUTED
            EXECUTING, sync: NOTHING_DONE
            EXECUTING, transaction over: NOTHING_DONE
            EXECUTING, error: SKIPPING
            EXECUTING, error, undo: BROKEN_OFF
            EXECUTING, server's error, skips: SKIPPING
            BOUND_EXECUTING, message: EXECUTED
            BOUND_EXECUTING, sync: NOTHING_DONE
            BOUND_EXECUTING, transaction over: NOTHING_DONE
            BOUND_EXECUTING, error: SKIPPING
            BOUND_EXECUTING, error, undo: BROKEN_OFF
            BOUND_EXECUTING, server's error, skips: SKIPPING
            EXECUTED, sync: NOTHING_DONE
            EXECUTED, transaction over: NOTHING_DONE
            EXECUTED, error: SKIPPING
            EXECUTED, error, undo: BROKEN_OFF
            EXECUTED, server's error, skips: SKIPPING
            SKIPPING, sync: NOTHING_DONE
            SKIPPING, error, undo: BROKEN_OFF
            BROKEN_OFF, sync: NOTHING_DONE""");
  }

  @Test
  void aSyncLeadsToWhatIsLeftToDo() {
    for (ClientDialog.DialogProgress progress : WAYS.keySet()) {
      boolean undo = progress == ClientDialog.DialogProgress.BROKEN_OFF;
      assertThat(in(progress).sync(true, true)).isEqualTo(undo ? AtSync.ROLL_BACK : AtSync.COMMIT);
      assertThat(in(progress).sync(false, true))
          .isEqualTo(undo ? AtSync.ROLL_BACK : AtSync.PASS_ON);
      assertThat(in(progress).sync(false, false))
          .isEqualTo(undo ? AtSync.ROLL_BACK : AtSync.ANSWER);
    }
  }

  @Test
  void onlyASyncIsHandledAfterAnError() {
    for (FrontendType type : FrontendType.values()) {
      ClientDialog dialog = in(ClientDialog.DialogProgress.SKIPPING);
      boolean isSync = type == FrontendType.SYNC;
      assertThat(dialog.take(type)).isEqualTo(isSync ? Reception.HANDLE : Reception.SKIP);
      assertThat(dialog.owed()).isEqualTo(isSync ? 1 : 0);
      assertThat(dialog.isInHand()).isEqualTo(isSync);
    }
  }

  @Test
  void aMessageThatIsHeldBackIsOwedOnce() {
    ClientDialog dialog = in(ClientDialog.DialogProgress.NOTHING_DONE);
    dialog.take(FrontendType.QUERY);
    dialog.take(FrontendType.QUERY);
    assertThat(dialog.owed()).isEqualTo(1);
    dialog.taken();
    dialog.take(FrontendType.QUERY);
    assertThat(dialog.owed()).isEqualTo(2);
  }

  @Test
  void anErrorEndsAQueryAndSkipsAPipeline() {
    ClientDialog dialog = in(ClientDialog.DialogProgress.NOTHING_DONE);
    dialog.take(FrontendType.QUERY);
    dialog.beginQuery();
    assertThat(dialog.fail(true)).isEqualTo(ClientDialog.AfterError.END_QUERY);
    assertThat(dialog.query()).isEqualTo(QueryState.ENDING);
    assertThat(dialog.isSkipping()).isFalse();
    dialog.ready();
    assertThat(dialog.query()).isEqualTo(QueryState.NONE);
    assertThat(dialog.fail(true)).isEqualTo(ClientDialog.AfterError.SKIP_TO_SYNC);
  }

  @Test
  void anErrorAfterASkippedQueryIsOfThePipeline() {
    ClientDialog dialog = in(ClientDialog.DialogProgress.BOUND);
    dialog.take(FrontendType.QUERY);
    dialog.beginQuery();
    dialog.serverFailed(true);
    assertThat(dialog.take(FrontendType.QUERY)).isEqualTo(Reception.SKIP);
    assertThat(dialog.owed()).isZero();
    dialog.take(FrontendType.SYNC);
    dialog.sync(false, false);
    dialog.ready();
    dialog.taken();
    assertThat(dialog.fail(false)).isEqualTo(ClientDialog.AfterError.SKIP_TO_SYNC);
  }

  @Test
  void aServersErrorEndsTheStatementsOfAQuery() {
    ClientDialog dialog = in(ClientDialog.DialogProgress.NOTHING_DONE);
    dialog.runQuery();
    dialog.serverFailed(false);
    assertThat(dialog.query()).isEqualTo(QueryState.FAILED);
    assertThat(dialog.isSkipping()).isFalse();
  }

  @Test
  void aReadyForQueryThatNobodyIsOwedIsAFault() {
    ClientDialog dialog = in(ClientDialog.DialogProgress.NOTHING_DONE);
    assertThatThrownBy(dialog::ready).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void knowsAQueryOfItsPipelineOnly() {
    ClientDialog dialog = in(ClientDialog.DialogProgress.NOTHING_DONE);
    assertThat(dialog.hasQueried()).isFalse();
    dialog.bindQueryOfProxy();
    assertThat(dialog.hasQueried()).isTrue();
    dialog.sync(false, false);
    assertThat(dialog.hasQueried()).isFalse();
  }

  @Test
  void endsOnce() {
    ClientDialog dialog = in(ClientDialog.DialogProgress.NOTHING_DONE);
    dialog.drain();
    assertThat(dialog.lifetime()).isEqualTo(Lifetime.DRAINING);
    dialog.close();
    dialog.drain();
    assertThat(dialog.isClosed()).isTrue();
    assertThat(dialog.end()).isTrue();
    assertThat(dialog.end()).isFalse();
    assertThat(dialog.isClosed()).isTrue();
  }
}
