package io.shardmark.proxy.dialog;

import io.shardmark.proxy.dialog.PostgresModel.Command;
import io.shardmark.proxy.dialog.PostgresModel.Said;
import io.shardmark.proxy.dialog.PostgresModel.Sent;
import io.shardmark.proxy.protocol.BackendType;
import io.shardmark.proxy.protocol.ProtocolViolationException;
import io.shardmark.proxy.protocol.TransactionStatus;
import io.shardmark.proxy.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A {@link ServerDialog} that talks to a {@link PostgresModel}, and what must hold whatever both
 * do: each message of the server goes to the one that asked for it, and each message that was sent
 * is answered, failed or skipped once.
 */
final class DialogWorld {
  /** What can be planted, to see that it is found. */
  enum Fault {
    NONE,
    /** The Sync after a failed BEGIN is not sent. */
    LOST_SYNC
  }

  /** One event: a message is sent, the server takes one, or one of the server's comes. */
  enum Event {
    SEND,
    SUCCEED,
    FAIL,
    DELIVER
  }

  /** An event with the message that is sent, if one is. */
  record Choice(Event event, Command command) {
    @Override
    public String toString() {
      return event == Event.SEND ? command.toString() : event.toString();
    }
  }

  private record Numbered(int id) implements Asker {
    @Override
    public boolean passesAll() {
      return true;
    }

    /** The order says which it is. */
    @Override
    public String toString() {
      return "";
    }
  }

  private static final long NAMED = 1;

  private final Fault fault;
  private final ServerDialog<Numbered> dialog;
  private final PostgresModel server;

  /** By id, what has been sent and has not been answered, failed or skipped. */
  private final TreeMap<Integer, Command> unresolved = new TreeMap<>();

  /** By id of a Sync, the id of the message that its ReadyForQuery ends if it is another. */
  private final Map<Integer, Integer> remedies = new TreeMap<>();

  private TransactionStatus status = TransactionStatus.IDLE;
  private int nextId;
  private boolean closed;

  DialogWorld(Fault fault) {
    this(fault, new ServerDialog<>(Settings.NONE, 10), new PostgresModel());
  }

  private DialogWorld(Fault fault, ServerDialog<Numbered> dialog, PostgresModel server) {
    this.fault = fault;
    this.dialog = dialog;
    this.server = server;
  }

  DialogWorld copy() {
    DialogWorld copy = new DialogWorld(fault, dialog.copy(), server.copy());
    copy.unresolved.putAll(unresolved);
    copy.remedies.putAll(remedies);
    copy.status = status;
    copy.nextId = nextId;
    copy.closed = closed;
    return copy;
  }

  /** What can happen next. */
  List<Choice> choices() {
    List<Choice> choices = new ArrayList<>();
    if (closed) {
      return choices;
    }
    if (server.hasSaid()) {
      choices.add(new Choice(Event.DELIVER, Command.SYNC));
    }
    if (server.hasWork()) {
      if (server.canSucceed()) {
        choices.add(new Choice(Event.SUCCEED, Command.SYNC));
      }
      if (server.canFail()) {
        choices.add(new Choice(Event.FAIL, Command.SYNC));
      }
    }
    for (Command command : Command.values()) {
      if (mayBeSent(command)) {
        choices.add(new Choice(Event.SEND, command));
      }
    }
    return choices;
  }

  /** As the proxy sends: not what a failed BEGIN would not stop. */
  private boolean mayBeSent(Command command) {
    return switch (command) {
      case BEGIN, BEGIN_QUERY ->
          dialog.hasAnswered() && !dialog.awaitsBegin() && status == TransactionStatus.IDLE;
      case PARSE_NAMED -> !dialog.awaitsBegin() && !dialog.isPrepared(NAMED);
      case CLOSE_NAMED -> !dialog.awaitsBegin() && dialog.isPrepared(NAMED);
      case SYNC -> true;
      default -> !dialog.awaitsBegin();
    };
  }

  void apply(Choice choice) {
    switch (choice.event()) {
      case SEND -> send(choice.command());
      case SUCCEED -> server.succeed();
      case FAIL -> server.fail();
      case DELIVER -> deliver(server.nextSaid());
    }
    check();
  }

  private void send(Command command) {
    int id = nextId++;
    Numbered asker = new Numbered(id);
    if (command == Command.END) {
      dialog.released(); // what is sent after it need not be in the transaction
    }
    boolean inTransaction = dialog.isEnlisted() && command != Command.SYNC;
    boolean owed =
        switch (command) {
          case PARSE_UNNAMED -> dialog.unnamedParseSent(id, asker);
          case PARSE_NAMED -> dialog.parseSent(NAMED, asker);
          case BIND -> dialog.clientBindSent(asker);
          case DESCRIBE -> dialog.sent(Expected.DESCRIBE_STATEMENT, asker);
          case EXECUTE -> dialog.sent(Expected.EXECUTE, asker);
          case CLOSE_NAMED -> dialog.closeSent(NAMED, asker);
          case CLOSE_PORTAL -> dialog.sent(Expected.CLOSE, asker);
          case SYNC -> dialog.sent(Expected.SYNC, asker);
          case QUERY, END -> dialog.sent(Expected.QUERY, asker);
          case BEGIN -> {
            dialog.enlisted();
            yield dialog.beginSent(asker);
          }
          case BEGIN_QUERY -> {
            dialog.enlisted();
            yield dialog.beginQuerySent(asker);
          }
        };
    if (owed) {
      unresolved.put(id, command);
    }
    server.receive(new Sent(id, command, inTransaction));
  }

  private void deliver(Said said) {
    switch (said.type()) {
      case ERROR_RESPONSE -> error(said);
      case READY_FOR_QUERY -> {
        dialogExpects(remedies.getOrDefault(said.id(), said.id()));
        status = Objects.requireNonNull(said.status());
        dialog.ready(status);
        dialog.readyHandled();
        if (status == TransactionStatus.IDLE) {
          dialog.released();
        }
        resolve(remedies.getOrDefault(said.id(), said.id()));
      }
      default -> {
        dialogExpects(said.id());
        if (dialog.answer(said.type())) {
          dialog.answered();
          resolve(said.id());
        }
      }
    }
  }

  private void error(Said said) {
    Command failed = unresolved.get(said.id());
    Failure<Numbered> failure = dialog.error();
    if (failed == Command.BEGIN) {
      resolve(said.id());
      if (failure.remedy() == Failure.Remedy.CLOSE) {
        closed = true;
        return;
      }
    }
    // The error of a BEGIN becomes that of what was sent after it.
    int due = failed == Command.BEGIN ? unresolved.firstKey() : said.id();
    if (Objects.requireNonNull(failure.asker()).id() != due) {
      throw new AssertionError("error of " + due + " goes to " + failure.asker().id());
    }
    failure.skipped().forEach(one -> resolve(one.id()));
    if (failure.remedy() == Failure.Remedy.SEND_SYNC && fault != Fault.LOST_SYNC) {
      // The first ReadyForQuery that comes is the Query's, the next that of the first Sync, ...
      int receiver = due;
      for (int sync : unresolved.tailMap(due, false).keySet()) {
        remedies.put(sync, receiver);
        receiver = sync;
      }
      remedies.put(nextId, receiver);
      server.receive(new Sent(nextId++, Command.SYNC, false));
    }
  }

  private void dialogExpects(int id) {
    Numbered asker = dialog.hasAnswered() ? null : dialog.asker();
    if (asker == null || asker.id() != id) {
      throw new AssertionError(
          "an answer to " + id + " goes to " + (asker == null ? "nobody" : asker.id()));
    }
  }

  private void resolve(int id) {
    if (unresolved.remove(id) == null) {
      throw new AssertionError(id + " is answered twice");
    }
  }

  private void check() {
    if (closed) {
      return;
    }
    require(
        dialog.askedCount() - dialog.answeredCount() == unresolved.size(), "answers that are owed");
    if (server.hasWork() || server.hasSaid()) {
      return;
    }
    require(dialog.hasAnswered(), "an answer that never comes");
    require(dialog.isSkippingToSync() == server.isSkipping(), "whether the server skips");
    require(dialog.status() == status, "transaction status");
    require(
        dialog.isSpoiled() || dialog.isPrepared(NAMED) == server.isPrepared(1), "what is prepared");
    require(
        server.unnamed() < 0 || dialog.isUnnamedOf(server.unnamed()) || !ownsUnnamed(),
        "owner of the unnamed statement");
    require(dialog.hasClientPortal() || !server.hasClientPortal(), "the client's portal");
  }

  /** Whether the dialog takes some message for the maker of the unnamed statement. */
  private boolean ownsUnnamed() {
    for (int id = 0; id < nextId; id++) {
      if (dialog.isUnnamedOf(id)) {
        return true;
      }
    }
    return false;
  }

  private void require(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what + ": " + dialog + ", server " + server.key(0));
    }
  }

  /** After a Sync that the server has answered, nothing is left of what went before. */
  void finish() {
    while (!closed && (server.hasWork() || server.hasSaid())) {
      apply(
          new Choice(
              server.hasSaid() ? Event.DELIVER : server.canSucceed() ? Event.SUCCEED : Event.FAIL,
              Command.SYNC));
    }
    if (!closed) {
      apply(new Choice(Event.SEND, Command.SYNC));
      apply(new Choice(Event.SUCCEED, Command.SYNC));
      apply(new Choice(Event.DELIVER, Command.SYNC));
      require(dialog.isQuiet(), "quiet after Sync");
      require(!dialog.hasFailed() && !dialog.awaitsBegin(), "clean after Sync");
    }
  }

  /** The connection is lost: all that is unanswered is reported, in order. */
  void lose() {
    long readies =
        unresolved.values().stream()
            .filter(
                one ->
                    switch (one) {
                      case SYNC, QUERY, END, BEGIN_QUERY -> true;
                      default -> false;
                    })
            .count();
    Owed owed = dialog.lost(false);
    require(owed.readies() == readies, "ReadyForQuery owed at the loss");
    List<Integer> lost = new ArrayList<>();
    while (!dialog.hasAnswered()) {
      lost.add(Objects.requireNonNull(dialog.lostAnswer()).id());
    }
    require(lost.equals(List.copyOf(unresolved.keySet())), "askers of what is lost");
    closed = true;
  }

  String key() {
    int from = unresolved.isEmpty() ? nextId : unresolved.firstKey();
    List<String> waiting = new ArrayList<>();
    unresolved.forEach((id, command) -> waiting.add((id - from) + "" + command));
    return dialog + " " + waiting + server.key(nextId) + status + closed;
  }

  /** Whether a message of the server breaks the protocol, as the dialog sees it. */
  static boolean refuses(ServerDialog<?> dialog, BackendType type) {
    try {
      dialog.answer(type);
      return false;
    } catch (ProtocolViolationException e) {
      return true;
    }
  }
}
