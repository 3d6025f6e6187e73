package io.shardmark.proxy.scatter;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.StatementText;
import io.shardmark.proxy.execution.Step;
import io.shardmark.proxy.execution.SyncedAnswer;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.metrics.ShardCounter;
import io.shardmark.proxy.pool.Expected;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BodyReader;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.NameKind;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.protocol.StatementName;
import io.shardmark.proxy.routing.Access;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.Route;
import io.shardmark.proxy.routing.Spread;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Rows that one server computes of the merged groups of several. A server describes the client's
 * own statement first: what is wrong with it is told in PostgreSQL's words, and columns and
 * parameters are of the types that they have there.
 */
public final class FinalRows implements Step {
  private static final int HEADER_LENGTH = 5;

  private final Execution execution;
  private final PlannedStatement statement;
  private final Access access;
  private final Spread.Finish finish;
  private final Arguments arguments;
  private final Consumer<ByteBuf> sink;
  private final List<Integer> shards;
  private final GroupAnswers groups;
  private @Nullable Described described;
  private boolean asked;
  private @Nullable Computed computed;

  /**
   * @param sink takes RowDescription, if the client is to see it, and rows: whole messages,
   *     borrowed
   */
  public FinalRows(
      Execution execution,
      PlannedStatement statement,
      Route.Several route,
      Spread.Finish finish,
      Arguments arguments,
      Consumer<ByteBuf> sink) {
    this.execution = execution;
    this.statement = statement;
    this.access = route.access();
    this.finish = finish;
    this.arguments = arguments;
    this.sink = sink;
    this.shards = route.shards();
    this.groups =
        new GroupAnswers(
            finish.spec(), shards.size(), execution.memoryLimitBytes(), execution.settings());
  }

  /** Types of the client's parameters, and the description of its rows. */
  private final class Described extends SyncedAnswer {
    private int[] types = {};
    private @Nullable ByteBuf rows;

    @Override
    public void message(ServerConnection server, byte type, ByteBuf buffer, int start, int length) {
      super.message(server, type, buffer, start, length);
      if (type == 't') {
        BodyReader body =
            new BodyReader(
                "ParameterDescription", buffer, start + HEADER_LENGTH, length - HEADER_LENGTH);
        types = new int[body.count("parameters", Integer.BYTES)];
        for (int i = 0; i < types.length; i++) {
          types[i] = body.int32();
        }
      } else if (type == 'T' && arguments.protocol() == Arguments.Protocol.SIMPLE) {
        rows = buffer.copy(start, length);
      }
    }

    void release() {
      ByteBuf copy = rows;
      rows = null;
      if (copy != null) {
        copy.release();
      }
    }
  }

  /** The last server's answer. */
  private final class Computed extends SyncedAnswer {
    @Override
    public void message(ServerConnection server, byte type, ByteBuf buffer, int start, int length) {
      super.message(server, type, buffer, start, length);
      if (type == 'D') {
        sink.accept(buffer.slice(start, length));
      } else if (type == 'N') {
        execution.output().out().writeBytes(buffer, start, length);
      }
    }
  }

  @Override
  public void abandon() {
    groups.close();
    if (described != null) {
      described.release();
    }
  }

  @Override
  public boolean advance() {
    Described known = described;
    if (known == null) {
      // What takes locks is in one transaction on all shards.
      boolean begun = access == Access.READ || execution.participants().inTransaction();
      if (!begun || !execution.participants().requireAll(shards)) {
        return false;
      }
      known = describe();
    }
    if (!known.hasSucceeded()) {
      return false;
    }
    if (!asked) {
      asked = true;
      shards.forEach(shard -> ask(held(shard)));
    }
    Computed last = computed;
    if (last == null) {
      if (!groups.areThere()) {
        return false;
      }
      last = compute(known);
    }
    ErrorFields error = last.error();
    if (error != null && last.isDone()) {
      throw new StatementException(GroupAnswers.withoutPosition(error));
    }
    if (!last.hasSucceeded()) {
      return false;
    }
    abandon();
    return true;
  }

  /** Behind the rows: CommandComplete's tag. */
  String tag() {
    return computed == null ? "" : computed.tag();
  }

  private ServerConnection held(int shard) {
    ServerConnection server = execution.participants().held(shard);
    if (server == null) {
      throw new StatementException(
          ErrorFields.error(
              SqlState.CONNECTION_FAILURE,
              "connection to a shard lost in the middle of the statement"));
    }
    return server;
  }

  private Described describe() {
    Described answer = new Described();
    described = answer;
    ServerConnection server = held(shards.get(0));
    StatementText text =
        arguments instanceof Arguments.Bound bound ? bound.text() : execution.text(statement.sql());
    prepare(server, text, answer);
    FrontendMessages.describeStatement(server.out(), text.id());
    server.expect(Expected.DESCRIBE_STATEMENT, answer);
    server.sync(answer);
    server.flush();
    return answer;
  }

  private static void prepare(ServerConnection server, StatementText text, SyncedAnswer answer) {
    if (!server.isPrepared(text.id())) {
      server.prepare(text.id(), text.definition(), answer);
    }
  }

  private void ask(ServerConnection server) {
    SyncedAnswer answer = groups.next(server);
    execution.counters().count(server.shard(), ShardCounter.STATEMENTS);
    if (arguments instanceof Arguments.Bound bound) {
      StatementText text = execution.text(finish.sql(), types());
      prepare(server, text, answer);
      ShardRequest.bindAll(server.out(), StatementName.of(text.id()), bound.bind(), true);
      execute(server, answer);
    } else {
      StatementText text = execution.text(finish.sql());
      prepare(server, text, answer);
      FrontendMessages.bind(server.out(), "", StatementName.of(text.id()));
      execute(server, answer);
    }
    server.flush();
  }

  private static void execute(ServerConnection server, SyncedAnswer answer) {
    server.expect(Expected.BIND, answer);
    FrontendMessages.describe(server.out(), NameKind.PORTAL, "");
    server.expect(Expected.DESCRIBE_PORTAL, answer);
    FrontendMessages.execute(server.out(), "", 0);
    server.expect(Expected.EXECUTE, answer);
    server.sync(answer);
  }

  private int[] types() {
    return described == null ? new int[0] : described.types;
  }

  private Computed compute(Described known) {
    List<String> types = ValueTexts.types(groups.columns(), execution.settings());
    String sql = finish.last().text(types, groups.rows());
    ByteBuf rows = known.rows;
    if (rows != null) {
      sink.accept(rows);
    }
    Computed answer = new Computed();
    computed = answer;
    ServerConnection server = held(shards.get(0));
    execution.counters().count(LoopCounter.STATEMENTS_MERGED);
    FrontendMessages.parse(server.out(), "", sql, known.types);
    server.expect(Expected.PARSE, answer);
    if (arguments instanceof Arguments.Bound bound) {
      ShardRequest.bindAll(server.out(), "", bound.bind(), false);
    } else {
      FrontendMessages.bind(server.out(), "", "");
    }
    server.expect(Expected.BIND, answer);
    FrontendMessages.execute(server.out(), "", 0);
    server.expect(Expected.EXECUTE, answer);
    server.sync(answer);
    server.flush();
    return answer;
  }
}
