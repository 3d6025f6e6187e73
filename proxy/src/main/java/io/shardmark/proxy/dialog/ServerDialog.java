package io.shardmark.proxy.dialog;

import io.shardmark.proxy.protocol.BackendType;
import io.shardmark.proxy.protocol.ProtocolViolationException;
import io.shardmark.proxy.protocol.StatementName;
import io.shardmark.proxy.protocol.TransactionStatus;
import io.shardmark.proxy.settings.Settings;
import io.shardmark.proxy.settings.SettingsState;
import io.shardmark.proxy.shardmap.CustomParameters;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The state of the conversation with one server: which answers it owes to whom, what an error makes
 * it skip (PG18 §54.2.3 protocol-flow-ext-query), what is prepared there, and who may use the
 * connection next. Each method that changes it is an event: a message has been sent or has come.
 * What a peer may not send is a {@link ProtocolViolationException}; what the proxy may not do now
 * is an {@link IllegalStateException}. Changes in place, so that a message costs no object; {@link
 * #copy} is for those that explore it.
 *
 * @param <A> receives answers; null is the client
 */
public final class ServerDialog<A extends Asker> {
  /** No statement. */
  public static final long NONE = PreparedNames.NONE;

  /** No Bind of the client's has made the unnamed portal. */
  private static final long NO_BIND = -1;

  /** Where the last message that was sent is between two Syncs. */
  private enum Position {
    /** A Sync or Query was sent last, or nothing yet. */
    SYNCED,
    /** A message of the extended protocol was sent after it. */
    UNSYNCED,
    /** The server has failed such a message and skips all it gets until a Sync. */
    SKIPPING
  }

  /** What the holder has done there. */
  private enum Deed {
    BEGUN,
    WRITTEN,
    LOCKED,
    NOTIFIED,
    /** Perhaps it has set what nobody has seen. */
    SET
  }

  private static final Set<Deed> OF_TRANSACTION =
      EnumSet.of(Deed.BEGUN, Deed.WRITTEN, Deed.LOCKED, Deed.NOTIFIED);

  private final OutstandingAnswers<A> outstanding;
  private final PreparedNames prepared;
  private Position position = Position.SYNCED;
  private Cycle cycle = Cycle.CLEAN;
  private Custody custody = Custody.FREE;
  private final Set<Deed> deeds = EnumSet.noneOf(Deed.class);
  private TransactionStatus status = TransactionStatus.IDLE;
  private SettingsState settings;
  private Set<String> customParameters = Set.of();
  private CustomParameters unseenParameters = CustomParameters.NONE;

  /** Of the message that is being sent in pieces. */
  private int bytesToCome;

  /** Owner of the unnamed statement, once all that was sent is done. */
  private @Nullable Object unnamedOwner;

  /** Which of the answers is that of the client's Bind that made the unnamed portal. */
  private long clientBind = NO_BIND;

  /** Portals of the proxy that a failed statement may have left open. */
  private int portalsLeft;

  /** Cancel requests that have not been delivered. */
  private int cancels;

  /** How many answers had come when the server was terminated instead of the next; or -1. */
  private long terminatedAfter = -1;

  /**
   * Of a connection that has just logged in.
   *
   * @param preparedLimit how many statements may be prepared at once
   */
  public ServerDialog(Settings login, int preparedLimit) {
    this(SettingsState.of(login), new OutstandingAnswers<>(), new PreparedNames(preparedLimit));
  }

  private ServerDialog(
      SettingsState settings, OutstandingAnswers<A> outstanding, PreparedNames prepared) {
    this.settings = settings;
    this.outstanding = outstanding;
    this.prepared = prepared;
  }

  /** A copy, which changes alone. */
  public ServerDialog<A> copy() {
    ServerDialog<A> copy = new ServerDialog<>(settings, outstanding.copy(), prepared.copy());
    copy.position = position;
    copy.cycle = cycle;
    copy.custody = custody;
    copy.deeds.addAll(deeds);
    copy.status = status;
    copy.customParameters = customParameters;
    copy.unseenParameters = unseenParameters;
    copy.bytesToCome = bytesToCome;
    copy.unnamedOwner = unnamedOwner;
    copy.clientBind = clientBind;
    copy.portalsLeft = portalsLeft;
    copy.cancels = cancels;
    copy.terminatedAfter = terminatedAfter;
    return copy;
  }

  // ---- what is owed ----

  /** Whether no answer is owed, no Sync is missing, and no message lacks its end. */
  public boolean isQuiet() {
    return outstanding.isEmpty() && position == Position.SYNCED && bytesToCome == 0;
  }

  /** Whether no answer is owed. */
  public boolean hasAnswered() {
    return outstanding.isEmpty();
  }

  /** How many answers have been asked for so far. */
  public long askedCount() {
    return outstanding.addedCount();
  }

  /** How many of {@link #askedCount} have come or been skipped. */
  public long answeredCount() {
    return outstanding.addedCount() - outstanding.size();
  }

  /** Receives the answer that is due; only if one is owed. Null is the client. */
  public @Nullable A asker() {
    return outstanding.asker(0);
  }

  /** Whether a row that comes now belongs to the answer that is due. */
  public boolean takesRows() {
    if (outstanding.isEmpty()) {
      return false;
    }
    Expected kind = outstanding.kind(0);
    return kind == Expected.EXECUTE || kind == Expected.QUERY;
  }

  /** Whether messages of the extended protocol were sent after the last Sync. */
  public boolean isUnsynced() {
    return position != Position.SYNCED;
  }

  /** Whether an error makes the server skip all it gets until a Sync. */
  public boolean isSkippingToSync() {
    return position == Position.SKIPPING;
  }

  /** Whether an error has come since the last ReadyForQuery, until {@link #readyHandled}. */
  public boolean hasFailed() {
    return cycle.hasFailed();
  }

  /**
   * Whether BEGIN is unanswered and no further message can be sent that would be skipped with it:
   * it would be executed outside of the transaction if BEGIN fails.
   */
  public boolean awaitsBegin() {
    return cycle.hasBegin() && position == Position.SYNCED;
  }

  // ---- messages that have been sent ----

  /**
   * The server gets a message that it answers, unless it is skipping.
   *
   * @return whether an answer is owed; else there will be none
   */
  public boolean sent(Expected kind, @Nullable A asker) {
    if (kind == Expected.PARSE) {
      unnamedOwner = null; // the others have an id
    }
    return sent(kind, asker, PreparedNames.NONE);
  }

  private boolean sent(Expected kind, @Nullable A asker, long number) {
    if (bytesToCome > 0) {
      throw illegal(kind + " sent");
    }
    switch (kind) {
      case SYNC -> position = Position.SYNCED;
      case QUERY -> {
        position = position == Position.SKIPPING ? Position.SKIPPING : Position.SYNCED;
        unnamedOwner = null; // PostgreSQL drops the unnamed statement
        clientBind = NO_BIND; // and portal
      }
      case BEGIN, PARSE, BIND, DESCRIBE_STATEMENT, DESCRIBE_PORTAL, EXECUTE, CLOSE ->
          position = position == Position.SKIPPING ? Position.SKIPPING : Position.UNSYNCED;
    }
    if (custody.isClosed() || position == Position.SKIPPING) {
      skipped(kind, number);
      return false;
    }
    outstanding.add(kind, asker, number);
    return true;
  }

  /**
   * Parse, Bind and Execute of BEGIN. A server that fails them skips what is sent after them until
   * a Sync, whose error it is then: nothing is executed outside of the transaction.
   *
   * @return as {@link #sent}
   */
  public boolean beginSent(A asker) {
    begin();
    unnamedOwner = null;
    boolean owed = sent(Expected.BEGIN, asker);
    if (!owed) {
      cycle = Cycle.BEGIN_FAILED;
    }
    return owed;
  }

  /**
   * A Query that begins with BEGIN.
   *
   * @return as {@link #sent}
   */
  public boolean beginQuerySent(A asker) {
    begin();
    boolean owed = sent(Expected.QUERY, asker);
    if (!owed) {
      cycle = Cycle.BEGIN_FAILED;
    }
    return owed;
  }

  private void begin() {
    if (!outstanding.isEmpty() || bytesToCome > 0) {
      throw illegal("BEGIN sent");
    }
    cycle = cycle.hasFailed() ? Cycle.BEGINNING_FAILED : Cycle.BEGINNING;
  }

  /**
   * A Bind of the client's that makes the unnamed portal, until its transaction ends.
   *
   * @return as {@link #sent}
   */
  public boolean clientBindSent(@Nullable A asker) {
    clientBind = askedCount();
    return sent(Expected.BIND, asker);
  }

  /**
   * Parse of a statement under an id; counts as a use.
   *
   * @return as {@link #sent}
   */
  public boolean parseSent(long statement, A asker) {
    prepared.add(statement);
    return sent(Expected.PARSE, asker, statement);
  }

  /**
   * Parse of the unnamed statement.
   *
   * @return as {@link #sent}
   */
  public boolean unnamedParseSent(Object owner, A asker) {
    unnamedOwner = owner;
    return sent(Expected.PARSE, asker, StatementName.UNNAMED);
  }

  /**
   * The statement that is to be closed because too many are prepared, and that counts as closed
   * now; {@link #NONE} if there are not too many, or the server would skip the Close.
   */
  public long evicted() {
    return custody.isClosed() || position == Position.SKIPPING
        ? PreparedNames.NONE
        : prepared.evict();
  }

  /**
   * Close of a statement.
   *
   * @return as {@link #sent}
   */
  public boolean closeSent(long statement, A asker) {
    prepared.remove(statement);
    return sent(Expected.CLOSE, asker, statement);
  }

  /** DEALLOCATE ALL or DISCARD ALL is sent. */
  public void forgetPrepared() {
    prepared.clear();
    unnamedOwner = null;
  }

  /** A piece of a message that is sent as it comes; no other may be sent before its end. */
  public void pieceSent(int toCome) {
    bytesToCome = toCome;
  }

  /** The server skips what would have changed what is prepared there. */
  private void skipped(Expected kind, long number) {
    if (kind == Expected.PARSE && number == StatementName.UNNAMED) {
      unnamedOwner = null;
    } else if (kind == Expected.PARSE) {
      prepared.remove(number);
    } else if (kind == Expected.CLOSE && number != PreparedNames.NONE) {
      prepared.add(number);
    } else if (kind == Expected.CLOSE) {
      portalsLeft++;
    }
  }

  // ---- messages that have come ----

  /**
   * A message that answers something and is no error.
   *
   * @return whether it ends the answer; then {@link #answered} has to follow
   * @throws ProtocolViolationException if it is not due
   */
  public boolean answer(BackendType type) {
    if (custody.isClosed()) {
      throw illegal(type.messageName());
    }
    if (outstanding.isEmpty()) {
      throw new ProtocolViolationException(type.messageName() + " although nothing was asked");
    }
    return outstanding.kind(0).endsWith(type);
  }

  /** The answer that was due is complete. */
  public void answered() {
    outstanding.remove();
  }

  /**
   * ReadyForQuery, which completes the answer that was due.
   *
   * @throws ProtocolViolationException if it is not due
   */
  public void ready(TransactionStatus now) {
    answer(BackendType.READY_FOR_QUERY);
    status = now;
    if (now == TransactionStatus.IDLE) {
      if (cycle == Cycle.BEGIN_FAILED) {
        deeds.remove(Deed.BEGUN);
      }
      if (clientBind <= answeredCount()) {
        clientBind = NO_BIND;
      }
      portalsLeft = 0;
      settings = settings.rolledBack(); // a commit has said so before
    }
    cycle = cycle.hasFailed() ? Cycle.FAILED : Cycle.CLEAN;
    outstanding.remove();
  }

  /** All that the last ReadyForQuery means has been done: what comes now is the next answer's. */
  public void readyHandled() {
    if (cycle == Cycle.FAILED) {
      cycle = Cycle.CLEAN;
    }
  }

  /**
   * An ErrorResponse that does not end the connection.
   *
   * @throws ProtocolViolationException if nothing was asked that could have failed
   */
  public Failure<A> error() {
    if (custody.isClosed()) {
      throw illegal("ErrorResponse");
    }
    if (outstanding.isEmpty()) {
      throw new ProtocolViolationException("an error although nothing was asked");
    }
    boolean ofBegin = outstanding.kind(0) == Expected.BEGIN;
    cycle = ofBegin ? Cycle.BEGIN_FAILED : cycle.failed();
    if (ofBegin) {
      outstanding.remove();
      if (outstanding.isEmpty()) {
        return new Failure<>(null, SkipReach.NOTHING, List.of(), List.of(), Failure.Remedy.CLOSE);
      }
    }
    A asker = outstanding.asker(0);
    List<A> skipped = new ArrayList<>();
    List<Long> binds = new ArrayList<>();
    if (outstanding.kind(0).endsWithReady()) {
      boolean isSkipped = ofBegin && outstanding.kind(0) == Expected.QUERY;
      if (isSkipped) {
        drop(1, skipped, binds);
      }
      return new Failure<>(
          asker,
          SkipReach.NOTHING,
          skipped,
          binds,
          isSkipped ? Failure.Remedy.SEND_SYNC : Failure.Remedy.NONE);
    }
    drop(0, skipped, binds);
    SkipReach reach = SkipReach.SYNC_TO_COME;
    if (outstanding.isEmpty()) {
      position = Position.SKIPPING;
    } else if (outstanding.asker(0)
        == null) { // else it is the proxy's, and the client's is to come
      reach = SkipReach.SYNC_SENT;
    }
    return new Failure<>(asker, reach, skipped, binds, Failure.Remedy.NONE);
  }

  /** What the server skips up to a Sync that it has got, or that is to come. */
  private void drop(int from, List<A> skipped, List<Long> binds) {
    int end = from;
    while (end < outstanding.size() && outstanding.kind(end) != Expected.SYNC) {
      if (outstanding.kind(end) == Expected.BIND) {
        binds.add(answeredCount() + end);
      }
      A asker = outstanding.asker(end);
      if (asker != null) {
        skipped.add(asker);
      }
      end++;
    }
    for (int i = end - 1;
        i >= from;
        i--) { // the last first: it may be prepared and closed in turns
      long number = outstanding.number(i);
      skipped(outstanding.kind(i), number);
      if (number != PreparedNames.NONE && outstanding.concerns(number, end)) {
        spoil(); // what was sent after the Sync took this for done
      }
    }
    outstanding.remove(from, end);
  }

  // ---- transaction and settings ----

  /** As the last ReadyForQuery said. */
  public TransactionStatus status() {
    return status;
  }

  /** What the server is set to, by what it has answered so far. */
  public SettingsState settings() {
    return settings;
  }

  /** An answer says that this has been done. In a transaction it counts from its commit on. */
  public void changed(UnaryOperator<SettingsState> event) {
    SettingsState now = event.apply(settings);
    mayExist(now.session().custom());
    mayExist(now.inForce().custom());
    settings = status == TransactionStatus.IDLE ? now.committed() : now;
  }

  /** Parameters of these names exist there from now on, whatever becomes of their values. */
  public void mayExist(Set<String> names) {
    if (!customParameters.containsAll(names)) {
      Set<String> more = new HashSet<>(customParameters);
      more.addAll(names);
      customParameters = Set.copyOf(more);
    }
  }

  /**
   * Names of parameters that nobody has defined and that exist there because they were set: nothing
   * but the end of the connection removes them (PG18 §19.16 runtime-config-custom).
   */
  public Set<String> customParameters() {
    return customParameters;
  }

  /** The holder's statements may make these where nobody sees whether they do. */
  public void mayMake(CustomParameters made) {
    unseenParameters = unseenParameters.and(made);
  }

  /** What the server is to be asked for before another holder has it: which of these exist. */
  public Set<String> parametersToAsk() {
    return customParameters.containsAll(unseenParameters.names())
        ? Set.of()
        : unseenParameters.names();
  }

  /** The server has said which of them exist. */
  public void parametersFound(Set<String> found) {
    unseenParameters = CustomParameters.NONE;
    mayExist(found);
  }

  /** Takes an equal object for the settings, so that many connections share one. */
  public void setEqual(Settings settled) {
    settings = SettingsState.of(settled);
  }

  /** Whether the end of its transaction makes a difference to its settings. */
  public boolean hasOpenSettings() {
    return !settings.isSettled();
  }

  /** A command of that tag has been completed. */
  public void completed(String tag) {
    if (tag.equals("COMMIT") || tag.equals("PREPARE TRANSACTION")) {
      settings = settings.committed();
    }
  }

  /** Its holder may set what nobody sees, such parameters too: the next one cannot rely on it. */
  public void mayHaveSet(CustomParameters made) {
    deeds.add(Deed.SET);
    mayMake(made);
  }

  /** Whether its holder may have done so. */
  public boolean hasUnseenSettings() {
    return deeds.contains(Deed.SET);
  }

  /** Whether the holder's transaction wrote there. */
  public boolean hasWritten() {
    return deeds.contains(Deed.WRITTEN);
  }

  /** The holder's transaction writes there. */
  public void wrote() {
    deeds.add(Deed.WRITTEN);
  }

  /** Whether the holder's transaction took locks there that others may wait for. */
  public boolean hasLocked() {
    return deeds.contains(Deed.LOCKED);
  }

  /** The holder's transaction takes locks there that others may wait for. */
  public void locked() {
    deeds.add(Deed.LOCKED);
  }

  /** Whether it sent a notification there: then PostgreSQL does not prepare the transaction. */
  public boolean hasNotified() {
    return deeds.contains(Deed.NOTIFIED);
  }

  /** The holder's transaction sends a notification there. */
  public void notified() {
    deeds.add(Deed.WRITTEN);
    deeds.add(Deed.NOTIFIED);
  }

  /** Whether the holder's transaction has begun there. */
  public boolean isEnlisted() {
    return deeds.contains(Deed.BEGUN);
  }

  /** The holder's transaction begins there. */
  public void enlisted() {
    deeds.add(Deed.BEGUN);
  }

  /** No transaction of the holder's is there any more; also when a holder takes it. */
  public void released() {
    deeds.removeAll(OF_TRANSACTION);
  }

  // ---- what is prepared there ----

  /** Whether a statement is prepared; counts as a use. */
  public boolean isPrepared(long statement) {
    return prepared.use(statement);
  }

  /** Whether the unnamed statement is that owner's. */
  public boolean isUnnamedOf(Object owner) {
    return owner.equals(unnamedOwner);
  }

  /** Whether the unnamed portal may be the client's. */
  public boolean hasClientPortal() {
    return clientBind != NO_BIND;
  }

  /** How many portals of the proxy a failed statement may have left open, in its transaction. */
  public int portalsLeft() {
    return portalsLeft;
  }

  // ---- who may use it ----

  /** Its holder gives it back. */
  public void left() {
    if (unseenParameters.reach() == CustomParameters.Reach.ANY) {
      spoil(); // the server could not be asked for them
    }
    if (deeds.remove(Deed.SET)) {
      settings = SettingsState.of(Settings.UNKNOWN);
    }
  }

  /** Has something of its holder that exists nowhere else: a lock, a temporary table. */
  public void keep() {
    custody = custody.kept();
  }

  /** Has nothing of that kind any more. */
  public void keepNothing() {
    custody = custody.keptNothing();
  }

  public boolean isKept() {
    return custody.isKept();
  }

  /**
   * An administrator ends the server: what it says instead of the next answer. An answer to a Query
   * may have begun.
   */
  public void terminated() {
    if (!outstanding.isEmpty() && !outstanding.kind(0).endsWithReady()) {
      terminatedAfter = answeredCount();
    }
  }

  /**
   * Whether the server was terminated before it executed what was asked for after so many others: a
   * COMMIT is answered when it has been executed, and can be terminated only before that.
   */
  public boolean isTerminatedBefore(long asked) {
    return terminatedAfter >= 0 && terminatedAfter <= asked;
  }

  /** Must not be used again after its present holder. */
  public void spoil() {
    custody = custody.spoiled();
  }

  boolean isSpoiled() {
    return custody.isSpoiled();
  }

  /** Whether it may go to another holder: nothing is owed, begun, kept or on its way. */
  public boolean isReusable() {
    return custody == Custody.FREE && isQuiet() && status == TransactionStatus.IDLE;
  }

  public boolean isClosed() {
    return custody.isClosed();
  }

  /** A cancel request is on its way: it may hit what is sent until it is delivered. */
  public void cancelSent() {
    cancels++;
  }

  /** A cancel request has reached the server, or never will. */
  public void cancelDelivered() {
    if (cancels == 0) {
      throw illegal("cancel delivered");
    }
    cancels--;
  }

  public boolean isBeingCancelled() {
    return cancels > 0;
  }

  /**
   * The connection is gone.
   *
   * @param cutShort whether the client has the beginning of a message without its end
   */
  public Owed lost(boolean cutShort) {
    custody = custody.closed();
    return outstanding.owedToClient(cycle.hasFailed(), cutShort);
  }

  /** After the loss: takes out each answer that will not come, in order, until none is left. */
  public @Nullable A lostAnswer() {
    A asker = outstanding.asker(0);
    outstanding.remove();
    return asker;
  }

  private IllegalStateException illegal(String event) {
    return new IllegalStateException(event + " in state " + this);
  }

  /** All that decides about what comes next, without counts that only grow. */
  @Override
  public String toString() {
    return custody
        + " "
        + position
        + " "
        + cycle
        + " "
        + status
        + " "
        + (isEnlisted() ? "ENLISTED" : "OUTSIDE")
        + " owes ["
        + outstanding.toString().strip()
        + "] unnamed="
        + unnamedOwner
        + " portal="
        + (hasClientPortal() ? Math.max(clientBind - answeredCount(), -1) : "none")
        + " left="
        + portalsLeft
        + " prepared="
        + prepared
        + " cancels="
        + cancels
        + " toCome="
        + bytesToCome;
  }
}
