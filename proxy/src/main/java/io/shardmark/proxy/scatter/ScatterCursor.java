package io.shardmark.proxy.scatter;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.dialog.Expected;
import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.CapturedAnswer;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.execution.Notices;
import io.shardmark.proxy.execution.Participants;
import io.shardmark.proxy.execution.ShardAnswer;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.SuspendedResult;
import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.execution.ValueTexts;
import io.shardmark.proxy.merge.MergeSpec;
import io.shardmark.proxy.merge.RowMerger;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.Message;
import io.shardmark.proxy.protocol.NameKind;
import io.shardmark.proxy.protocol.RowField;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.Access;
import io.shardmark.proxy.routing.Route;
import io.shardmark.proxy.routing.ScatterStrategy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A merged result that is fetched in portions: a portal on each shard, of which no more rows are
 * asked than the client wants or the merge needs. Lives as long as the transaction, and the
 * savepoint, that it was opened in.
 */
final class ScatterCursor implements SuspendedResult {
  private static final int FIRST_ROWS = 100;
  private static final int MOST_ROWS = 1000;

  private enum CursorPhase {
    FETCHING,
    /** All rows that the shards have are merged; some may not have been wanted yet. */
    MERGED,
    CLOSED
  }

  private final Execution execution;
  private final Route.Several route;
  private final Arguments arguments;
  private final String name;
  private final Consumer<ScatterCursor> opened;
  private final MergeSpec spec;
  private final SnapshotRound snapshots;

  /** What one server computes the result from; null if that server has it, or rows are merged. */
  private @Nullable GatheredRows gathered;

  private final long limitBytes;
  private final Notices notices;
  private final List<ShardAnswer> sources = new ArrayList<>();

  /** Those that have no more rows. */
  private final BitSet ended = new BitSet();

  private final Deque<ByteBuf> ready = new ArrayDeque<>();
  private List<RowField> fields = List.of();
  private @Nullable RowMerger merger;
  private long readyBytes;
  private long seenRows;
  private long seenBytes;
  private CursorPhase phase = CursorPhase.FETCHING;

  /** That it was opened in; 0 before that. */
  private long transaction;

  /** How many savepoints there were when it was opened, those released not counted. */
  private int savepoints;

  private long wanted;
  private long passed;
  private boolean onRow;

  /** Gets the rows that are fetched, and releases them. */
  private Consumer<ByteBuf> receiver;

  /**
   * @param sql of the query
   * @param name of the portals, unique in the session
   * @param opened is called when servers may have portals of it
   */
  ScatterCursor(
      Execution execution,
      String sql,
      Route.Several route,
      Arguments arguments,
      String name,
      Consumer<ScatterCursor> opened) {
    this.execution = execution;
    this.route = route;
    this.arguments = arguments;
    this.name = name;
    this.opened = opened;
    this.limitBytes = execution.memoryLimitBytes();
    this.receiver = execution.output()::pass;
    boolean merges = route.strategy() instanceof ScatterStrategy.Merge;
    boolean reads = merges && route.access() == Access.READ;
    this.snapshots = new SnapshotRound(execution, reads ? route.shards() : List.of());
    this.notices = new Notices(execution.output());
    if (route.strategy() instanceof ScatterStrategy.Merge merge) {
      this.spec = merge.spec();
      this.gathered = null;
    } else {
      this.spec = MergeSpec.CONCATENATION;
      this.gathered = new GatheredRows(execution, sql, route, arguments);
    }
  }

  /** A message of one server; borrowed. */
  private void read(int index, Message message) {
    if (phase == CursorPhase.CLOSED) {
      return;
    }
    switch (message.type()) {
      case ROW_DESCRIPTION -> describe(RowField.readAll(message));
      case DATA_ROW -> row(index, message);
      case COMMAND_COMPLETE -> {
        ended.set(index);
        merging().answerEnd(index, this::take);
      }
      case NOTICE_RESPONSE -> notices.take(index, message);
      default -> {}
    }
  }

  // ---- opening ----

  /**
   * Makes the portals of a merged result on all its shards, or the portal of a computed one on the
   * server that computes it; a portal has its snapshot then, and no row has been fetched.
   */
  boolean open() {
    if (sources.isEmpty()) {
      // Portals live in a transaction only; this one ends with the client's Sync.
      Participants participants = execution.participants();
      if (!participants.inTransaction()
          || !(gathered == null
              ? participants.requireAll(route.shards()) && snapshots.mayAsk()
              : gathered.advance())) {
        return false;
      }
      makePortals();
    }
    if (!isAnswered()) {
      return false;
    }
    snapshots.allTaken();
    if (!snapshots.isGood()) {
      throw SnapshotRound.tooSlow();
    }
    return true;
  }

  private void makePortals() {
    transaction = execution.transaction().number();
    savepoints = execution.transaction().savepoints().size();
    opened.accept(this);
    GatheredRows rows = gathered;
    if (rows == null) {
      for (ShardRequest request : ShardRequest.all(execution, route, arguments)) {
        execution.participants().note(route.access(), request.shard());
        ShardAnswer.ask(
            execution,
            request.shard(),
            sources,
            this::read,
            (server, source) -> request.open(server, source, name));
      }
    } else {
      fields = rows.fields();
      ServerConnection server = rows.lastServer();
      ShardAnswer source = new ShardAnswer(0, server, this::read);
      sources.add(source);
      rows.bindLast(name, source);
      gathered = null;
      FrontendMessages.describe(server.out(), NameKind.PORTAL, name);
      server.expect(Expected.DESCRIBE_PORTAL, source);
      server.sync(source);
      server.flush();
    }
    execution.counters().count(LoopCounter.STATEMENTS_MERGED);
  }

  private void describe(List<RowField> shown) {
    if (merger != null) {
      return;
    }
    if (fields.isEmpty()) {
      fields = shown.subList(0, spec.visibleColumns(shown.size()));
    }
    boolean rounded = ValueTexts.roundsFloats(execution.settings());
    merger = spec.open(shown, rounded, sources.size(), limitBytes);
  }

  private RowMerger merging() {
    if (merger == null) {
      throw new IllegalStateException("rows without a description");
    }
    return merger;
  }

  /** The columns that the client sees. */
  List<RowField> fields() {
    return fields;
  }

  /** Whether the servers still have its portals. */
  boolean isAlive() {
    return phase != CursorPhase.CLOSED
        && execution.transaction().mode() != Transaction.EndMode.NONE
        && execution.transaction().number() == transaction;
  }

  /** Savepoints down to so many are released. */
  void released(int left) {
    savepoints = Math.min(savepoints, left);
  }

  /** Back at a savepoint: portals that were made after it are gone. */
  void rolledBackTo(int savepoint) {
    if (savepoints > savepoint) {
      forget();
    }
  }

  // ---- fetching ----

  /** Begins to fetch. */
  void want(long rows) {
    want(rows, execution.output()::pass);
  }

  /** Begins to fetch rows that nobody sees. */
  void wantDropped(long rows) {
    want(rows, ByteBuf::release);
  }

  private void want(long rows, Consumer<ByteBuf> to) {
    wanted = rows;
    passed = 0;
    receiver = to;
    passReady();
  }

  private void passReady() {
    while (passed < wanted && !ready.isEmpty()) {
      ByteBuf row = ready.remove();
      readyBytes -= row.readableBytes();
      pass(row);
    }
  }

  /** Whether a row has been fetched, and after it no end. */
  boolean isOnRow() {
    return onRow;
  }

  /** How many rows the fetch has given. */
  long passed() {
    return passed;
  }

  /**
   * Goes on; true when the shards have answered and the rows wanted, or all that there were, have
   * been passed on.
   *
   * @throws StatementException if a shard failed
   */
  boolean advance() {
    while (isAnswered()) {
      if (passed == wanted) {
        onRow |= wanted > 0;
        return true;
      }
      RowMerger rows = merging();
      if (ended.cardinality() == sources.size() || rows.satisfied()) {
        if (phase == CursorPhase.FETCHING) {
          phase = CursorPhase.MERGED;
          ScatterRows.finish(rows, this::take);
        }
        onRow = passed == wanted;
        return true;
      }
      ask(rows);
    }
    return false;
  }

  /** Whether nothing is under way; throws what went wrong. */
  boolean isAnswered() {
    return ShardAnswer.areOver(sources);
  }

  private void ask(RowMerger rows) {
    int count = (int) Math.min(wanted - passed, roundRows());
    for (ShardAnswer source : sources) {
      if (!ended.get(source.index()) && rows.needs(source.index())) {
        source.expectAnother();
        ServerConnection server = source.server();
        FrontendMessages.execute(server.out(), name, count);
        server.expect(Expected.EXECUTE, source);
        server.sync(source);
        server.flush();
      }
    }
  }

  /** So many that the rows of all shards together stay far below the limit. */
  private long roundRows() {
    if (seenRows == 0) {
      return FIRST_ROWS;
    }
    long average = Math.max(1, seenBytes / seenRows);
    return Math.max(1, Math.min(MOST_ROWS, limitBytes / 8 / sources.size() / average));
  }

  private void row(int index, Message message) {
    seenRows++;
    seenBytes += message.length();
    merging().row(index, message.body(), this::take);
  }

  private void take(ByteBuf row) {
    if (passed < wanted) {
      pass(row);
      return;
    }
    ready.add(row);
    readyBytes += row.readableBytes();
    if (readyBytes > limitBytes) {
      throw ScatterRows.tooMany(limitBytes);
    }
  }

  private void pass(ByteBuf row) {
    passed++;
    receiver.accept(row);
  }

  // ---- portals of the protocol ----

  /** An Execute of the portal, of which the first one opens the cursor. */
  private final class Fetch implements ExecutionStep {
    private final Arguments.BoundArguments execute;
    private boolean fetching;

    Fetch(Arguments.BoundArguments execute) {
      this.execute = execute;
    }

    @Override
    public boolean advance() {
      int maxRows = execute.maxRows();
      if (!fetching) {
        boolean isOpen = open();
        if (!sources.isEmpty()) {
          execute.portal().keep(ScatterCursor.this);
        }
        if (!isOpen) {
          return false;
        }
        requireAlive();
        fetching = true;
        want(maxRows <= 0 ? Long.MAX_VALUE : maxRows);
      }
      requireAlive();
      if (!ScatterCursor.this.advance()) {
        return false;
      }
      if (maxRows > 0 && passed == maxRows) {
        BackendMessages.portalSuspended(execution.output().out());
      } else {
        execution.output().complete("SELECT " + passed);
      }
      return true;
    }

    private void requireAlive() {
      if (!isAlive()) {
        throw new StatementException(
            SqlState.INVALID_CURSOR_NAME, "the portal ended with its transaction or savepoint");
      }
    }
  }

  // ---- the end ----

  @Override
  public ExecutionStep resume(Arguments.BoundArguments execute) {
    return new Fetch(execute);
  }

  /** Ends it, on the servers too if they still have it. */
  @Override
  public void close() {
    if (phase == CursorPhase.CLOSED) {
      return;
    }
    boolean open = isAlive();
    forget();
    for (ShardAnswer source : sources) {
      ServerConnection server = source.server();
      if (open && execution.participants().held(server.shard()) == server && !server.isClosed()) {
        boolean inPipeline =
            server.dialog().isUnsynced(); // whose own Sync ends what an error has it skip
        FrontendMessages.close(server.out(), NameKind.PORTAL, name);
        server.expect(Expected.CLOSE, CapturedAnswer.IGNORED);
        if (!inPipeline) {
          server.sync(CapturedAnswer.IGNORED);
        }
        server.flush();
      }
    }
  }

  /** Frees what it holds; the servers have ended their portals, or end them with the session. */
  void forget() {
    phase = CursorPhase.CLOSED;
    snapshots.close();
    ready.forEach(ByteBuf::release);
    ready.clear();
    if (merger != null) {
      merger.close();
    }
  }
}
