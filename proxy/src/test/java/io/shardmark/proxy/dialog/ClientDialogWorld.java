package io.shardmark.proxy.dialog;

import io.shardmark.proxy.dialog.ClientDialog.QueryState;
import io.shardmark.proxy.dialog.ClientDialog.Reception;
import io.shardmark.proxy.protocol.FrontendType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A client, its {@link ClientDialog} and one server, for walks through every order of events: what
 * the shell does with the machine's answers, and what PostgreSQL does with what it gets. Counts by
 * itself how many ReadyForQuery the client has to get.
 */
final class ClientDialogWorld {
  /** A fault of the shell that a walk must find. */
  enum Fault {
    NONE,
    /** The message in hand is dropped with the error of one before it. */
    LOST_SYNC
  }

  private static final List<FrontendType> MESSAGES =
      List.of(
          FrontendType.PARSE,
          FrontendType.BIND,
          FrontendType.DESCRIBE,
          FrontendType.EXECUTE,
          FrontendType.CLOSE,
          FrontendType.FLUSH,
          FrontendType.SYNC,
          FrontendType.QUERY,
          FrontendType.FUNCTION_CALL);

  private final Fault fault;
  private final ClientDialog dialog = new ClientDialog();

  /** What the server owes: S and Q for Sync and Query, M for another message. */
  private final Deque<Character> server = new ArrayDeque<>();

  private @Nullable FrontendType heldBack;
  private boolean holdsParse;
  private boolean serverSkips;
  private boolean unsynced;
  private boolean implicit;

  /** What the proxy itself works on: E an execution, S the end of a pipeline, Q a Query. */
  private char work = ' ';

  /** By the protocol's text: the next Sync ends it. */
  private boolean mustSkip;

  private int expected = 1;
  private int readies;

  ClientDialogWorld(Fault fault) {
    this.fault = fault;
    ready(); // the welcome
  }

  /** Everything that may happen now. */
  List<String> events() {
    List<String> events = new ArrayList<>();
    if (heldBack == null && work == ' ') {
      MESSAGES.forEach(type -> addOutcomes(events, type));
    }
    if (heldBack != null && work == ' ') {
      addOutcomes(events, heldBack);
    }
    if (!server.isEmpty()) {
      events.add("server answers");
      events.add("link lost");
      if (server.peek() != 'S') {
        events.add("server fails");
      }
    }
    if (work != ' ') {
      events.add("work done");
      if (work != 'S') {
        events.add("work fails");
      }
    }
    return events;
  }

  private void addOutcomes(List<String> events, FrontendType type) {
    String name = type.name();
    boolean skipped = dialog.isSkipping() && type != FrontendType.SYNC;
    events.add(name + " to server");
    if (skipped) {
      return;
    }
    if (type != FrontendType.FLUSH) {
      events.add(name + " held back");
    }
    boolean places = holdsParse && type != FrontendType.BIND && !dialog.isSkipping();
    if (!server.isEmpty()) {
      return; // the client gets what it is owed before an error of the proxy's own
    }
    if (places || (type != FrontendType.SYNC && type != FrontendType.FLUSH)) {
      // 53300, 08006, 57014, 0A000, 40001, 57P01, 55P03: while it is waited for, or at once.
      events.add(name + " refused");
    }
    if ((type == FrontendType.EXECUTE || type == FrontendType.QUERY || implicit)) {
      events.add(name + " on proxy");
    }
  }

  void apply(String event) {
    switch (event) {
      case "server answers" -> answer();
      case "server fails" -> serverFails();
      case "link lost" -> linkLost();
      case "work done" -> workDone();
      case "work fails" -> workFails();
      default -> {
        int space = event.indexOf(' ');
        message(FrontendType.valueOf(event.substring(0, space)), event.substring(space + 1));
      }
    }
  }

  private void message(FrontendType type, String outcome) {
    if (heldBack == null) {
      if (type == FrontendType.SYNC) {
        expected++;
        mustSkip = false;
      } else if (type == FrontendType.QUERY || type == FrontendType.FUNCTION_CALL) {
        expected += mustSkip ? 0 : 1;
      }
    }
    heldBack = type;
    if (dialog.take(type) == Reception.SKIP) {
      heldBack = null;
      return;
    }
    switch (outcome) {
      case "held back" -> {
        if (!holdsParse && (type == FrontendType.QUERY || type == FrontendType.FUNCTION_CALL)) {
          dialog.beginQuery();
        }
        return;
      }
      case "refused" -> refuse(type);
      case "on proxy" -> onProxy(type);
      default -> toServer(type);
    }
    if (fault == Fault.LOST_SYNC && outcome.equals("refused")) {
      dialog.taken();
      heldBack = null;
    } else if (dialog.isInHand() && outcome.equals("refused")) {
      // Judged again.
      if (dialog.take(type) == Reception.HANDLE) {
        toServer(type);
        dialog.taken();
      }
      heldBack = null;
    } else {
      dialog.taken();
      heldBack = null;
    }
  }

  /** An error of the proxy's own: of the held Parse if there is one, else of the message itself. */
  private void refuse(FrontendType type) {
    boolean ofParse = holdsParse;
    boolean isQuery = type == FrontendType.QUERY || type == FrontendType.FUNCTION_CALL;
    if (isQuery && !ofParse) {
      dialog.beginQuery();
    }
    if (ofParse && isQuery) {
      expected--; // skipped after the error of the Parse
    }
    fail(isQuery && !ofParse);
    if (type == FrontendType.SYNC) {
      mustSkip = false;
    }
  }

  private void fail(boolean ofQuery) {
    mustSkip |= !ofQuery;
    boolean undo = !implicit && unsynced;
    switch (dialog.fail(undo)) {
      case END_QUERY -> {
        work = 'Q';
        dialog.endQuery();
      }
      case SKIP_TO_SYNC -> holdsParse = false;
    }
  }

  private void onProxy(FrontendType type) {
    placeParse();
    switch (type) {
      case EXECUTE -> {
        dialog.beginMessage();
        implicit = true;
        dialog.executeOnProxy();
        work = 'E';
      }
      case QUERY -> {
        dialog.beginQuery();
        dialog.runQuery();
        work = 'Q';
      }
      default -> toServer(type);
    }
  }

  private void placeParse() {
    if (holdsParse) {
      holdsParse = false;
      ask('M');
    }
  }

  private void toServer(FrontendType type) {
    if (type == FrontendType.SYNC) {
      sync();
      return;
    }
    if (type == FrontendType.QUERY || type == FrontendType.FUNCTION_CALL) {
      placeParse();
      dialog.beginQuery();
      ask('Q');
      dialog.forwardQuery();
      return;
    }
    dialog.beginMessage();
    placeParse();
    switch (type) {
      case PARSE -> holdsParse = true;
      case BIND -> {
        ask('M');
        dialog.bindOnServer();
      }
      case EXECUTE -> {
        ask('M');
        dialog.executeOnServer();
      }
      case DESCRIBE, CLOSE -> ask('M');
      default -> {}
    }
  }

  private void sync() {
    if (dialog.isSkipping()) {
      holdsParse = false;
    } else {
      placeParse();
    }
    boolean answers = serverSkips || unsynced || !server.isEmpty();
    switch (dialog.sync(implicit, answers)) {
      case ROLL_BACK, COMMIT -> work = 'S';
      case PASS_ON -> {
        server.add('S');
        serverSkips = false;
        unsynced = false;
      }
      case ANSWER -> ready();
    }
  }

  private void ask(char message) {
    unsynced |= message != 'Q';
    if (!serverSkips) {
      server.add(message);
    } else if (message == 'Q') {
      expected--;
      dialog.skippedByServer();
    }
  }

  private void ready() {
    dialog.ready();
    readies++;
  }

  private void answer() {
    char message = server.remove();
    if (message == 'S' || message == 'Q') {
      ready();
    }
  }

  private void serverFails() {
    char message = server.remove();
    if (message == 'Q') {
      dialog.serverFailed(false);
      ready();
      return;
    }
    while (!server.isEmpty() && server.peek() != 'S') {
      char skipped = server.remove();
      expected -= skipped == 'Q' ? 1 : 0;
      owedOfSkipped(skipped);
    }
    boolean untilSync = server.isEmpty();
    serverSkips = untilSync;
    dialog.serverFailed(untilSync);
    if (untilSync) {
      holdsParse = false;
      mustSkip = true;
      forgiveHeld();
    }
  }

  /** A Query that was sent before the server's error, without a Sync: PostgreSQL skips it. */
  private void owedOfSkipped(char skipped) {
    if (skipped == 'Q') {
      dialog.skippedByServer();
    }
  }

  private void forgiveHeld() {
    if (heldBack == FrontendType.QUERY || heldBack == FrontendType.FUNCTION_CALL) {
      expected--;
    } else if (heldBack == FrontendType.SYNC) {
      mustSkip = false;
    }
  }

  private void linkLost() {
    boolean more = false;
    while (!server.isEmpty()) {
      char message = server.remove();
      more = message != 'S' && message != 'Q';
      if (!more) {
        ready();
      }
    }
    implicit = false;
    serverSkips = false;
    unsynced = false;
    if (more) {
      dialog.serverFailed(true);
      holdsParse = false;
      mustSkip = true;
      forgiveHeld();
    }
  }

  private void workDone() {
    char done = work;
    work = ' ';
    switch (done) {
      case 'S' -> {
        serverSkips = false;
        unsynced = false;
        implicit = false;
        dialog.transactionOver();
        ready();
      }
      case 'Q' -> {
        if (dialog.query() != QueryState.ENDING) {
          dialog.endQuery();
        }
        ready();
      }
      default -> {}
    }
  }

  private void workFails() {
    boolean ofQuery = work == 'Q';
    work = ' ';
    fail(ofQuery);
  }

  /** Whether nothing can happen but messages of the client. */
  private boolean isQuiet() {
    return server.isEmpty() && work == ' ' && heldBack == null;
  }

  /** What is wrong now; "" if nothing. */
  String fault() {
    if (readies > expected) {
      return readies + " ReadyForQuery of " + expected;
    }
    if (isQuiet() && (readies != expected || dialog.owed() != 0)) {
      return readies + " ReadyForQuery of " + expected + " when all is quiet; " + dialog;
    }
    return "";
  }

  /** Equal for worlds that go on alike; the counts only by what is still to come. */
  String key() {
    return String.join(
        ",",
        dialog.toString(),
        server.toString(),
        String.valueOf(heldBack),
        holdsParse + "" + serverSkips + unsynced + implicit + mustSkip + work,
        String.valueOf(expected - readies));
  }
}
