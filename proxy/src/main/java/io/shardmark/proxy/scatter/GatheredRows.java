package io.shardmark.proxy.scatter;

import io.shardmark.proxy.dialog.Expected;
import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.Description;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.execution.ShardAnswer;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.StatementText;
import io.shardmark.proxy.execution.ValueTexts;
import io.shardmark.proxy.merge.MergeRefusedException;
import io.shardmark.proxy.pool.AnswerHandler;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendType;
import io.shardmark.proxy.protocol.BindWriter;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.Message;
import io.shardmark.proxy.protocol.NameKind;
import io.shardmark.proxy.protocol.PgType;
import io.shardmark.proxy.protocol.RowField;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.protocol.StatementName;
import io.shardmark.proxy.protocol.TextArray;
import io.shardmark.proxy.protocol.TextRow;
import io.shardmark.proxy.routing.Access;
import io.shardmark.proxy.routing.Route;
import io.shardmark.proxy.routing.ScatterStrategy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of several shards, brought together in the text of one last statement. A server
 * describes the client's own statement first: faults in it are reported in PostgreSQL's words, and
 * columns and parameters are of the types that they have there.
 */
final class GatheredRows implements ExecutionStep {
  private static final int ROW_OVERHEAD_BYTES = 16;

  private final Execution execution;
  private final String sql;
  private final Access access;
  private final ScatterStrategy.Finish finish;
  private final Arguments arguments;
  private final List<Integer> shards;
  private final List<Route.Share> shares;
  private final SnapshotRound snapshots;
  private final List<ShardAnswer> answers = new ArrayList<>();

  /** Set by set, column by column. */
  private List<List<RowField>> columns;

  private List<List<TextArray>> values;
  private long heldBytes;
  private @Nullable Description described;

  /**
   * @param sql of the client's statement
   */
  GatheredRows(Execution execution, String sql, Route.Several route, Arguments arguments) {
    if (!(route.strategy() instanceof ScatterStrategy.Finish found)) {
      throw new IllegalArgumentException("nothing is computed last: " + route.strategy());
    }
    this.execution = execution;
    this.sql = sql;
    this.access = route.access();
    this.finish = found;
    this.arguments = arguments;
    this.shards = route.shards();
    this.shares = route.shares();
    this.snapshots =
        new SnapshotRound(execution, access == Access.READ ? route.shards() : List.of());
    this.columns =
        found.last().typeOids().stream()
            .map(types -> types.stream().map(GatheredRows::ofType).toList())
            .toList();
    this.values = builders(columns);
  }

  /** A column of which nothing but the type is known. */
  private static RowField ofType(int typeOid) {
    return new RowField("", 0, 0, typeOid, -1, -1, 0);
  }

  private void read(Message message) {
    if (message.type() == BackendType.BIND_COMPLETE) {
      snapshots.taken();
    } else if (message.type() == BackendType.ROW_DESCRIPTION && columns.isEmpty()) {
      columns = List.of(RowField.readAll(message));
      values = builders(columns);
    } else if (message.type() == BackendType.DATA_ROW) {
      take(message);
    }
  }

  private void take(Message message) {
    heldBytes += 2L * message.length() + ROW_OVERHEAD_BYTES;
    if (heldBytes > execution.memoryLimitBytes()) {
      throw new MergeRefusedException(
          SqlState.OUT_OF_MEMORY,
          "bringing the shards' rows together needs more than "
              + execution.memoryLimitBytes()
              + " bytes of memory",
          "Ask for fewer rows or groups, or raise scatter_memory_limit.");
    }
    List<@Nullable String> row = TextRow.readUtf8(message, GatheredRows::notUtf8);
    boolean numbered = !finish.last().typeOids().isEmpty();
    int set = numbered ? Integer.parseInt(String.valueOf(row.get(0))) : 0;
    List<TextArray> sets = values.get(set);
    for (int i = 0; i < sets.size(); i++) {
      sets.get(i).add(row.get(numbered ? i + 1 : i));
    }
  }

  private static List<List<TextArray>> builders(List<List<RowField>> columns) {
    return columns.stream()
        .map(set -> set.stream().map(column -> new TextArray()).toList())
        .toList();
  }

  private static MergeRefusedException notUtf8() {
    return new MergeRefusedException(
        SqlState.FEATURE_NOT_SUPPORTED,
        "a text is not of encoding UTF8",
        "Select the groups and aggregates alone.");
  }

  /**
   * {@inheritDoc}
   *
   * @throws StatementException if a server has failed, or the rows take too much memory
   */
  @Override
  public boolean advance() {
    Description known = described;
    if (known == null) {
      // What takes locks is in one transaction on all shards.
      boolean begun = access == Access.READ || execution.participants().inTransaction();
      if (!begun || !execution.participants().requireAll(shards)) {
        return false;
      }
      shards.forEach(shard -> execution.participants().note(access, shard));
      known = describe();
      if (!awaitsTypes() && !snapshots.isNeeded()) {
        ask(declaredTypes());
      }
    }
    boolean refused = known.isDone() && known.error() != null;
    if ((refused && !ShardAnswer.areStopped(answers)) || !known.hasSucceeded()) {
      return false;
    }
    if (answers.isEmpty()) {
      if (!snapshots.mayAsk()) {
        return false;
      }
      ask(known.types());
    }
    try {
      if (!ShardAnswer.areOver(answers)) {
        return false;
      }
      if (snapshots.isGood()) {
        return true;
      }
      answers.clear();
      heldBytes = 0;
      values = builders(columns);
      snapshots.again();
      return advance();
    } catch (StatementException e) {
      throw e.withoutPosition();
    }
  }

  /** Whether a server has to say of what types the client's parameters are. */
  private boolean awaitsTypes() {
    int[] declared = declaredTypes();
    return arguments instanceof Arguments.BoundArguments bound
        && (declared.length < bound.bind().parameterCount()
            || Arrays.stream(declared).anyMatch(type -> type == 0 || type == PgType.UNKNOWN.oid()));
  }

  private int[] declaredTypes() {
    return arguments instanceof Arguments.BoundArguments bound
        ? bound.text().typeOids()
        : new int[0];
  }

  private Description describe() {
    Description answer = new Description();
    described = answer;
    ServerConnection server = lastServer();
    if (arguments instanceof Arguments.BoundArguments bound) {
      // DECLARE's own text is not that of its query.
      StatementText text = bound.text();
      answer.ask(server, sql.equals(text.sql()) ? text : execution.text(sql, text.typeOids()));
    } else {
      answer.ask(server, sql);
    }
    server.flush();
    return answer;
  }

  private void ask(int[] types) {
    for (Route.Share share : shares) {
      ShardAnswer.ask(
          execution,
          share.shard(),
          answers,
          (index, message) -> read(message),
          (server, answer) -> send(server, answer, share.sql(), types));
    }
  }

  private void send(ServerConnection server, ShardAnswer answer, String asked, int[] types) {
    String portal = server.ownPortal();
    if (arguments instanceof Arguments.BoundArguments bound) {
      StatementText text = execution.text(asked, types);
      text.prepareOn(server, answer);
      new BindWriter(server.out(), portal, StatementName.of(text.id()))
          .parameters(bound.bind())
          .resultsInText();
    } else {
      FrontendMessages.parse(server.out(), "", asked);
      server.expect(Expected.PARSE, answer);
      FrontendMessages.bind(server.out(), portal, "");
    }
    server.expect(Expected.BIND, answer);
    FrontendMessages.describe(server.out(), NameKind.PORTAL, portal);
    server.expect(Expected.DESCRIBE_PORTAL, answer);
    if (snapshots.isNeeded()) {
      FrontendMessages.flush(server.out());
    }
    server.executeOwn(answer);
    server.sync(answer);
  }

  @Override
  public void abandon() {
    snapshots.close();
  }

  /** An error of the last statement, in words about the client's own. */
  static StatementException lastFailure(ErrorFields error) {
    return error.sqlState().equals(SqlState.GROUPING_ERROR)
        ? new StatementException(
            SqlState.FEATURE_NOT_SUPPORTED,
            "a column that is not grouped depends on a primary key, which rows of several shards"
                + " do not have",
            "Add the column to GROUP BY.")
        : new StatementException(error.withoutPosition());
  }

  // ---- the last statement, when all are there ----

  /** Where it is executed. */
  ServerConnection lastServer() {
    return execution
        .participants()
        .required(finish.knownOn() < 0 ? shards.get(0) : finish.knownOn());
  }

  /** Parses it as the unnamed statement, and binds it with the client's parameters. */
  void bindLast(String portal, AnswerHandler answer) {
    ServerConnection server = lastServer();
    List<List<String>> types =
        columns.stream().map(set -> ValueTexts.types(set, execution.settings())).toList();
    String text =
        finish
            .last()
            .text(
                types,
                values.stream().map(set -> set.stream().map(TextArray::elements).toList()).toList(),
                fields().stream().map(RowField::name).toList());
    FrontendMessages.parse(
        server.out(), "", text, described == null ? new int[0] : described.types());
    server.expect(Expected.PARSE, answer);
    if (arguments instanceof Arguments.BoundArguments bound) {
      new BindWriter(server.out(), portal, "")
          .parameters(bound.bind())
          .resultFormats(bound.bind(), 0);
    } else {
      FrontendMessages.bind(server.out(), portal, "");
    }
    server.expect(Expected.BIND, answer);
  }

  /** Has its rows computed. */
  void compute(AnswerHandler answer) {
    ServerConnection server = lastServer();
    bindLast(server.ownPortal(), answer);
    server.executeOwn(answer);
    server.sync(answer);
    server.flush();
  }

  /** The columns that the client sees. */
  List<RowField> fields() {
    return described == null ? List.of() : described.fields();
  }
}
