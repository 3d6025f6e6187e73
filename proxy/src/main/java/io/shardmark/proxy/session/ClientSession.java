package io.shardmark.proxy.session;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.shardmark.proxy.copy.CopyIn;
import io.shardmark.proxy.copy.CopySource;
import io.shardmark.proxy.ddl.StatementsUnderWay;
import io.shardmark.proxy.deadlock.TransactionDirectory.Backend;
import io.shardmark.proxy.deadlock.TransactionDirectory.OpenTransaction;
import io.shardmark.proxy.dialog.ClientDialog;
import io.shardmark.proxy.dialog.ClientDialog.Lifetime;
import io.shardmark.proxy.dialog.ClientDialog.Reception;
import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.pool.ServerUser;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.CancelKey;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.FrontendType;
import io.shardmark.proxy.protocol.MessageFramer;
import io.shardmark.proxy.protocol.MessageLimits;
import io.shardmark.proxy.protocol.ProtocolViolationException;
import io.shardmark.proxy.protocol.SqlState;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One logged-in client. Takes its messages in order, one at a time: each is passed on, answered, or
 * held back until what it needs is there. Belongs to one event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failed writes close their channel
public final class ClientSession extends ChannelInboundHandlerAdapter
    implements Session, Client.ClientOwner {
  private static final Logger LOG = LoggerFactory.getLogger(ClientSession.class);
  private static final int STREAMED_BYTES = 16 * 1024;
  private static final MessageLimits LIMITS =
      MessageLimits.client(MessageLimits.LARGE_MESSAGE_BYTES);
  private static final String MORE_MEMORY =
      "Send less in one message, or start the proxy with a larger -XX:MaxDirectMemorySize.";

  /** Whether the session is at work: nothing enters it in the middle of that. */
  private enum SessionTurn {
    NONE,
    RUNNING,
    /** Something has become possible meanwhile: another turn is queued on the loop after it. */
    RUNNING_AND_WANTED
  }

  private final SessionContext context;
  private final Channel channel;
  private final Client client;
  private final MessageFramer messages;
  private final ServerAnswers answers;
  private final StatementPreparation preparation;
  private final ExtendedProtocol extended;
  private final SimpleQueries simple;
  private final SessionWork work;
  private final SessionParticipants participants;
  private final ClientDialog dialog;
  private final CopySource copies;

  private Map<String, String> startup;
  private final long openedNanos = System.nanoTime();
  private SessionTurn turn = SessionTurn.NONE;

  /**
   * What has arrived has not been taken, or the server that it went to does not take more: nothing
   * more is read from the client.
   */
  private boolean held;

  /**
   * A session right after authentication; {@link #start} makes it work.
   *
   * @param startup what the startup message asked for
   */
  public ClientSession(
      SessionContext context,
      Channel channel,
      String user,
      String database,
      Map<String, String> startup) {
    this.context = context;
    this.channel = channel;
    this.client = new Client(context, channel, user, database, this);
    this.work = client.work();
    this.participants = client.participants();
    this.copies = client.copies();
    this.dialog = client.dialog();
    this.messages = new MessageFramer(new Messages(), LIMITS);
    this.answers = new ServerAnswers(client, messages);
    this.preparation = new StatementPreparation(client);
    this.extended = new ExtendedProtocol(client, preparation);
    this.simple = new SimpleQueries(client, preparation);
    this.startup = startup;
  }

  /**
   * Takes its place in the pipeline and welcomes the client: ParameterStatus, BackendKeyData,
   * ReadyForQuery. On the event loop.
   *
   * @param secretKeyBytes 4 in protocol 3.0, 32 from 3.2 on
   */
  public void start(int secretKeyBytes) {
    context.sessions().add(this);
    channel.pipeline().addLast(this);
    context.counters().add(LoopCounter.CLIENTS, 1);
    messages.pause();
    work.begin(new WelcomeStep(client, startup, secretKeyBytes));
    startup = Map.of();
    proceed();
  }

  // ---- what the proxy asks of it ----

  @Override
  public SessionView view() {
    return ClientViews.of(client, openedNanos);
  }

  @Override
  public boolean isUnderWay() {
    boolean holds = !participants.all().isEmpty();
    return !client.isIdle()
        && !participants.isHeldByPause()
        && (!participants.isWaiting() || holds);
  }

  @Override
  public void resumed() {
    proceed();
  }

  @Override
  public Optional<OpenTransaction> openTransaction() {
    return client.cancellation().openTransaction();
  }

  @Override
  public void cancelDeadlocked(long id, Backend backend, String detail) {
    client.cancellation().deadlocked(id, backend, detail);
  }

  @Override
  public StatementsUnderWay statements() {
    return client.underWay();
  }

  @Override
  public void drain() {
    dialog.drain();
    if (client.isIdle()) {
      client.shutDown();
    }
  }

  @Override
  public void terminate() {
    if (!isClosed()) {
      client.shutDown();
    }
  }

  // ---- messages of the client ----

  @Override
  public void channelRead(ChannelHandlerContext handler, Object message) {
    held |= messages.isPaused();
    ByteBuf bytes = (ByteBuf) message;
    context.counters().add(LoopCounter.CLIENT_BYTES_IN, bytes.readableBytes());
    // What a write that fails at once makes possible must neither enter the step that wrote, nor be
    // missed by a message that is held back for it.
    turn = SessionTurn.RUNNING;
    try {
      messages.read(bytes);
    } catch (ProtocolViolationException e) {
      violation(e);
    } finally {
      endTurn();
    }
  }

  private void violation(ProtocolViolationException e) {
    context.counters().count(LoopCounter.PROTOCOL_VIOLATIONS);
    refuse(ErrorFields.of(e));
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext handler) {
    participants.flush();
    client.output().flush();
    if (!participants.takesMore()) {
      messages.pause(); // the server says when it has taken what waits for it
      held = true;
    }
    if (!held && !isClosed()) {
      channel.read();
    }
  }

  /** Handles each, holds it back, or skips it. */
  private final class Messages implements MessageFramer.FrameListener {
    /** Who has got the first pieces of a long CopyData, and gets the rest whatever happens. */
    private @Nullable CopyIn streamedTo;

    /** How much of that message is still to come. */
    private int streamedToCome;

    @Override
    public boolean streams(byte tag, int length) {
      CopyIn copyIn = copies.current();
      return tag == FrontendType.COPY_DATA.code()
          && length > STREAMED_BYTES
          && (copyIn == null || copyIn.streams());
    }

    @Override
    public void piece(byte tag, ByteBuf buffer, int start, int length, int bytesToCome) {
      CopyIn copy = streamedToCome > 0 ? streamedTo : copies.current();
      streamedToCome = bytesToCome;
      streamedTo = bytesToCome > 0 ? copy : null;
      if (copy == null) {
        return;
      }
      boolean more = copy.piece(buffer, start, length, bytesToCome);
      if (bytesToCome == 0 && copies.current() == null) {
        answers.messageEnded();
      } else if (!more) {
        messages.pause();
      }
    }

    @Override
    public void message(byte tag, ByteBuf buffer, int start, int length) {
      if (!takeOrFail(FrontendType.of(tag), buffer, start, length)) {
        messages.holdBack();
        ExecutionStep step = work.step();
        if (step != null && copies.current() == null) {
          // Begins what it waits for. COPY data wait for a link, which says when it takes more.
          context.loop().execute(ClientSession.this::proceed);
        }
        return;
      }
      dialog.taken();
      if (work.step() != null) {
        work.run();
        ExecutionStep step = work.step();
        if (step != null && copies.current() == null) {
          messages.pause();
        }
      }
    }

    /** Handles a message, or has the client learn why not; false: not now. */
    private boolean takeOrFail(FrontendType type, ByteBuf buffer, int start, int length) {
      try {
        return take(type, buffer, start, length);
      } catch (StatementException e) {
        if (!participants.drained()) {
          return false;
        }
        fail(e.fields());
        // It may be a message before this one that has failed: a Sync is answered in any case.
        return !dialog.isInHand() || take(type, buffer, start, length);
      }
    }

    /** Handles a message; false: not now. */
    private boolean take(FrontendType type, ByteBuf buffer, int start, int length) {
      switch (type) {
        case COPY_DATA, COPY_DONE, COPY_FAIL -> {
          // PG18 §54.2.7 protocol-copy: dropped after the copy has failed
          CopyIn copyIn = copies.current();
          return copyIn == null || copyIn.message(type, buffer, start, length);
        }
        case TERMINATE -> {
          ClientSession.this.close();
          return true;
        }
        default -> {}
      }
      if (dialog.take(type) == Reception.SKIP) {
        return true;
      }
      boolean isMark = type == FrontendType.SYNC || type == FrontendType.FLUSH;
      CopyIn copyIn = copies.current();
      if (copyIn != null) {
        if (!copyIn.hasBegun()) {
          return false; // if it fails, this message has its own meaning
        }
        if (isMark) {
          dialog.ignored(); // PG18 §54.2.7 protocol-copy
          return true;
        }
        throw new ProtocolViolationException(
            "message of type %s while COPY data are awaited".formatted(type.messageName()));
      }
      if (!isMark && !isKnownWhatIsBefore()) {
        return false;
      }
      return switch (type) {
        case QUERY -> simple.query(buffer, start, length);
        case FUNCTION_CALL -> simple.functionCall(buffer, start, length);
        default -> extended.take(type, buffer, start, length);
      };
    }

    /** What a message means depends on whether a statement before it has succeeded. */
    private boolean isKnownWhatIsBefore() {
      return client.end().forwarded().isUnderWay()
          ? client.end().isOver()
          : !client.effects().areAwaited() || participants.drained();
    }
  }

  @Override
  public ServerUser answers() {
    return answers;
  }

  @Override
  public void proceed() {
    if (turn != SessionTurn.NONE) {
      turn = SessionTurn.RUNNING_AND_WANTED;
      return;
    }
    turn = SessionTurn.RUNNING;
    try {
      work.run();
      takeMore();
    } catch (ProtocolViolationException e) {
      violation(e);
    } catch (IllegalStateException | IllegalArgumentException | IndexOutOfBoundsException e) {
      // Often called by a server's handler, whose connection is not to blame.
      broken(e);
    } finally {
      endTurn();
    }
    if (dialog.lifetime() == Lifetime.DRAINING && client.isIdle()) {
      // What ends in a step of the session's own, such as a commit over several shards, is answered
      // by now.
      client.shutDown();
    }
    participants.flush();
    client.output().flush();
    if (isClosed() && client.end().commit() == null) {
      drop();
    }
  }

  private void endTurn() {
    boolean wanted = turn == SessionTurn.RUNNING_AND_WANTED;
    turn = SessionTurn.NONE;
    if (wanted) {
      client.proceedLater();
    }
  }

  /** Goes on with what the client has sent, if nothing is under way before it. */
  private void takeMore() {
    if ((work.step() == null || copies.current() != null)
        && messages.isPaused()
        && !isClosed()
        && participants.takesMore()) {
      messages.resume();
      if (!messages.isPaused() && held) {
        held = false;
        channel.read();
      }
    }
  }

  // ---- statements that fail ----

  /** Everything before it is answered. */
  @Override
  public void fail(ErrorFields error) {
    participants.forgetWaits();
    // What a step says of a lost connection does not know what the transaction did there.
    ErrorFields fields =
        error.sqlState().equals(SqlState.CONNECTION_FAILURE)
            ? client.transaction().unreportedLoss().orElse(error)
            : error;
    // A server's own error says in more fields where in its source it was raised.
    if (fields.sqlState().equals(SqlState.FEATURE_NOT_SUPPORTED) && fields.others().isEmpty()) {
      context.counters().count(LoopCounter.STATEMENTS_REFUSED);
    }
    Transaction transaction = client.transaction();
    transaction.lossReported();
    BackendMessages.errorResponse(client.out(), fields);
    if (transaction.mode() != Transaction.EndMode.NONE) {
      transaction.fail();
      client.end().undoEarly();
    }
    switch (dialog.fail(extended.isUndoneByError())) {
      case END_QUERY -> simple.failed();
      case SKIP_TO_SYNC -> preparation.dropHeldParse();
    }
  }

  @Override
  public void serverFailed(boolean untilSync) {
    if (untilSync) {
      // A Parse that is held back follows the failed message: it is skipped as well.
      preparation.dropHeldParse();
    }
    dialog.serverFailed(untilSync);
  }

  // ---- the end ----

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext handler) {
    // A closed channel counts as not writable, but the answers to a commit are still read here.
    participants.setReading(isClosed() || channel.isWritable());
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext handler, Throwable cause) {
    broken(cause);
  }

  /** A fault of the proxy ends this session and no other. */
  private void broken(Throwable cause) {
    if (isClosed()) {
      return;
    }
    if (cause instanceof OutOfMemoryError) {
      LOG.error("session of {} ends: out of memory: {}", client.user(), cause.getMessage());
      refuse(ErrorFields.fatal(SqlState.OUT_OF_MEMORY, "out of memory").withHint(MORE_MEMORY));
    } else if (!(cause instanceof IOException)) {
      LOG.error("session of {} ends for an internal error", client.user(), cause);
      refuse(ErrorFields.fatal(SqlState.INTERNAL_ERROR, "internal error of the proxy"));
    }
    close();
  }

  @Override
  public void channelInactive(ChannelHandlerContext handler) {
    close();
  }

  @Override
  public void refuse(ErrorFields error) {
    BackendMessages.errorResponse(client.out(), error);
    client.output().flush();
    close();
  }

  @Override
  public void close() {
    if (isClosed()) {
      return;
    }
    dialog.close();
    context.sessions().remove(this);
    context.counters().add(LoopCounter.CLIENTS, -1);
    CancelKey key = client.cancelKey();
    if (key != null) {
      context.cluster().cancelKeys().revoke(key.processId());
    }
    messages.close();
    answers.close();
    client.output().close();
    channel.close();
    client.scatter().transactionOver();
    client.portals().clear();
    client.statements().clear();
    if (client.end().commit() != null) {
      participants.setReading(true);
      return; // goes on without its client; proceed() drops the rest
    }
    drop();
  }

  private boolean isClosed() {
    return dialog.isClosed();
  }

  /** Nothing goes on for the client any more. */
  private void drop() {
    if (dialog.end()) {
      client.end().close();
      work.drop();
      participants.close();
    }
  }
}
