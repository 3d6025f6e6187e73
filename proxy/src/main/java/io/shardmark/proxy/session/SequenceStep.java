package io.shardmark.proxy.session;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.Broadcast;
import io.shardmark.proxy.execution.CapturedAnswer;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.Step;
import io.shardmark.proxy.merge.MergeSpec;
import io.shardmark.proxy.merge.RowMerger;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.RowField;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.protocol.TextRow;
import io.shardmark.proxy.routing.Route;
import io.shardmark.proxy.routing.Router;
import io.shardmark.proxy.routing.Spread;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.routing.ddl.SequenceDeal;
import io.shardmark.proxy.scatter.FinalRows;
import io.shardmark.proxy.scatter.ValueTexts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code SELECT setval(...)} over several shards: finds the value, then sets the sequence on every
 * shard so that they go on without giving a number twice.
 */
final class SequenceStep implements Step {
  private static final String COLUMN = "setval";
  private static final String TAG = "SELECT 1";

  private final ClientSession session;
  private final StatementPlan.SetSequence plan;
  private final Arguments arguments;
  private final List<Integer> shards = new ArrayList<>();
  private @Nullable MergeSpec merge;
  private final List<Rows> answers = new ArrayList<>();
  private boolean asked;
  private @Nullable Broadcast set;
  private @Nullable String value;

  /** Of a value that is an expression over aggregates of several shards. */
  private @Nullable FinalRows computed;

  private final List<@Nullable String> computedValues = new ArrayList<>();

  SequenceStep(ClientSession session, StatementPlan.SetSequence plan, Arguments arguments) {
    this.session = session;
    this.plan = plan;
    this.arguments = arguments;
    for (int shard = 0; shard < session.context().shardCount(); shard++) {
      shards.add(shard);
    }
  }

  /** What the client is told of the answer's columns. */
  static List<RowField> fields() {
    return List.of(RowField.int8(COLUMN));
  }

  @Override
  public boolean advance() {
    if (!asked && !ask()) {
      return false;
    }
    if (set == null) {
      if (!haveAnswered()) {
        return false;
      }
      String found = onlyValue();
      value = found;
      set =
          new Broadcast(session.output(), found == null ? looking() : texts(Long.parseLong(found)));
    }
    if (!set.advance()) {
      return false;
    }
    if (arguments instanceof Arguments.Text) {
      BackendMessages.rowDescription(session.out(), fields());
    }
    BackendMessages.dataRow(session.out(), Collections.singletonList(value));
    BackendMessages.commandComplete(session.out(), TAG);
    return true;
  }

  private boolean ask() {
    if (!session.links().inTransaction() || !session.links().requireAll(shards)) {
      return false;
    }
    Router.Routed query =
        session.route(session.planner().simple(plan.valueQuery(), session.searchPath()).get(0));
    if (query.route() instanceof Route.Forwarded one) {
      send(one.shard(session.links()), query.statement().sql());
    } else if (!(query.route() instanceof Route.Several several)) {
      throw unknownValue();
    } else if (several.spread() instanceof Spread.Merge over) {
      merge = over.spec();
      several.shares().forEach(share -> send(share.shard(), share.sql()));
    } else if (several.spread() instanceof Spread.Finish finish) {
      computed =
          new FinalRows(
              session,
              query.statement(),
              several,
              finish,
              new Arguments.Text(),
              this::takeComputed);
    } else {
      throw unknownValue();
    }
    asked = true;
    return true;
  }

  @Override
  public void abandon() {
    if (computed != null) {
      computed.abandon();
    }
  }

  private void takeComputed(ByteBuf message) {
    if (message.getByte(message.readerIndex()) == 'D') {
      computedValues.add(first(message));
    }
  }

  private StatementException unknownValue() {
    return new StatementException(
        SqlState.FEATURE_NOT_SUPPORTED,
        "the value of setval cannot be found over several shards",
        "Select the value first, and call setval with it.");
  }

  private void send(int shard, String sql) {
    ServerConnection server = held(shard);
    Rows answer = new Rows();
    answers.add(answer);
    server.query(sql, answer);
    server.flush();
  }

  private ServerConnection held(int shard) {
    ServerConnection server = session.links().held(shard);
    if (server == null) {
      throw new IllegalStateException("a required connection is not held");
    }
    return server;
  }

  private boolean haveAnswered() {
    FinalRows rows = computed;
    if (rows != null) {
      return rows.advance();
    }
    return CapturedAnswer.haveSucceeded(answers);
  }

  /** The one value of the one row of all answers together. */
  private @Nullable String onlyValue() {
    List<@Nullable String> values = new ArrayList<>();
    if (computed != null) {
      values.addAll(computedValues);
    } else if (merge == null) {
      answers.get(0).rows.forEach(row -> values.add(first(row)));
    } else {
      long limit = session.context().config().limits().scatterMemoryBytes();
      try (RowMerger merger =
          merge.open(
              ValueTexts.columns(answers.get(0).fields, session.settings()),
              answers.size(),
              limit)) {
        for (int answer = 0; answer < answers.size(); answer++) {
          for (ByteBuf row : answers.get(answer).rows) {
            ByteBuf body = row.slice(Rows.HEADER_BYTES, row.capacity() - Rows.HEADER_BYTES);
            merger.row(answer, body, out -> take(out, values));
          }
          merger.answerEnd(answer, out -> take(out, values));
        }
        merger.finish(out -> take(out, values));
      }
    }
    if (values.size() != 1) {
      throw new StatementException(
          SqlState.FEATURE_NOT_SUPPORTED,
          "setval over several shards needs one value; its query gave " + values.size());
    }
    return values.get(0);
  }

  private static void take(ByteBuf dataRow, List<@Nullable String> values) {
    try {
      values.add(first(dataRow));
    } finally {
      dataRow.release();
    }
  }

  private static @Nullable String first(ByteBuf row) {
    return TextRow.read(row, row.readerIndex(), row.readableBytes()).get(0);
  }

  /** As setval does with NULL: nothing, unless there is no such sequence. */
  private Map<ServerConnection, String> looking() {
    return Map.of(held(0), SequenceDeal.lookingAt(plan));
  }

  private Map<ServerConnection, String> texts(long first) {
    Map<ServerConnection, String> texts = new LinkedHashMap<>();
    for (int shard : shards) {
      texts.put(held(shard), SequenceDeal.query(plan, first, shard, shards.size()));
      held(shard).markWritten();
    }
    return texts;
  }

  /** Description and rows of one answer, copied to the heap: there is one row of one number. */
  private static final class Rows extends CapturedAnswer {
    private static final int HEADER_BYTES = 5;

    private List<RowField> fields = List.of();
    private final List<ByteBuf> rows = new ArrayList<>();

    @Override
    public void message(ServerConnection server, byte type, ByteBuf buffer, int start, int length) {
      if (type == 'T') {
        fields = RowField.readAll(buffer, start, length);
      } else if (type == 'D') {
        byte[] row = new byte[length];
        buffer.getBytes(start, row);
        rows.add(Unpooled.wrappedBuffer(row));
      } else {
        super.message(server, type, buffer, start, length);
      }
    }
  }
}
