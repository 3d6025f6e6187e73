package io.shardmark.proxy.insert;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.Arguments.BoundArguments;
import io.shardmark.proxy.execution.Arguments.Protocol;
import io.shardmark.proxy.execution.Broadcast;
import io.shardmark.proxy.execution.CapturedAnswer;
import io.shardmark.proxy.execution.Description;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.execution.Output;
import io.shardmark.proxy.execution.ResultKeeper;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.StatementText;
import io.shardmark.proxy.execution.ValueTexts;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendType;
import io.shardmark.proxy.protocol.BindReader;
import io.shardmark.proxy.protocol.BindWriter;
import io.shardmark.proxy.protocol.Message;
import io.shardmark.proxy.protocol.NameCache;
import io.shardmark.proxy.protocol.PgType;
import io.shardmark.proxy.protocol.RowField;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.protocol.TextArray;
import io.shardmark.proxy.protocol.TextRow;
import io.shardmark.proxy.routing.Access;
import io.shardmark.proxy.routing.InsertedRows;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.Route;
import io.shardmark.proxy.routing.ScatterStrategy;
import io.shardmark.proxy.settings.SettingsSql;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * INSERT of the rows of a query, each on its own shard. A server describes the client's statement
 * first: so faults in it are reported in PostgreSQL's words, and parameters have the types that
 * they have there. The rows are held until all are there; then each shard inserts its rows in one
 * statement, from values of the query's types, so that PostgreSQL itself assigns them to the
 * columns.
 */
public final class InsertStep {
  /** OIDs from here on are of types that somebody has made, and differ between shards. */
  private static final int FIRST_OWN_TYPE = 16_384;

  /** PG18 §A errcodes-appendix: syntax error or access rule violation, so also of types. */
  private static final String SYNTAX_CLASS = "42";

  /** A Bind counts its parameters in 16 bits. */
  private static final int MAX_PARAMETERS = 65_535;

  /** int2, int4, int8, numeric: each keeps the values of those before it. */
  private static final Set<Integer> EXACT_NUMBERS = Set.of(21, 23, 20, 1700);

  private static final int TEXT = PgType.TEXT.oid();

  /** Makes the work for a statement over shards. */
  @FunctionalInterface
  public interface Scattering {
    ExecutionStep step(
        Execution execution,
        Output reader,
        PlannedStatement statement,
        Route.Several route,
        Arguments arguments);
  }

  private final Execution execution;
  private final PlannedStatement statement;
  private final InsertedRows insert;
  private final Route.Several source;
  private final Arguments arguments;
  private final Scattering scattering;
  private final Description whole = new Description();
  private final Description target = new Description();
  private final Description query = new Description();
  private final CapturedOutput rows;

  /** A server has described the statement: what fails from then on is another text. */
  private boolean described;

  /** Of the query's columns; after them the sharding column's, with its modifier. */
  private List<String> types = List.of();

  /** Of the rows, in their order, as they will be stored. */
  private List<@Nullable String> keys = List.of();

  private InsertStep(
      Execution execution,
      PlannedStatement statement,
      Route.InsertByRow route,
      Arguments arguments,
      Scattering scattering) {
    this.execution = execution;
    this.statement = statement;
    this.insert = route.rows();
    this.source = route.source(execution.participants());
    this.arguments = arguments;
    this.scattering = scattering;
    this.rows = new CapturedOutput(execution.output(), execution.memoryLimitBytes());
  }

  /** The work. */
  public static ExecutionStep of(
      Execution execution,
      PlannedStatement statement,
      Route.InsertByRow route,
      Arguments arguments,
      Scattering scattering) {
    InsertStep step = new InsertStep(execution, statement, route, arguments, scattering);
    return execution
        .participants()
        .inTransactionOn(step.source.shards())
        .then(step::describing)
        .then(step::describingQuery)
        .then(step::namingTypes)
        .then(step::reading)
        .then(step::convertingKeys)
        .then(step::writing)
        .failing(e -> step.described ? e.withoutPosition() : e);
  }

  private static StatementException notApart(String why) {
    return new StatementException(
        SqlState.FEATURE_NOT_SUPPORTED,
        "the rows cannot be computed apart from their table: " + why,
        "Give the values of each column one type.");
  }

  // ---- what the statement means ----

  private ServerConnection server() {
    int known = source.strategy().knownOn();
    return execution.participants().required(known < 0 ? source.shards().get(0) : known);
  }

  /** A server describes the statement and the columns that it fills. */
  private ExecutionStep describing() {
    ServerConnection server = server();
    int[] declared =
        arguments instanceof BoundArguments bound ? bound.text().typeOids() : new int[0];
    whole.ask(server, statement.sql(), declared);
    target.ask(server, insert.columns());
    server.flush();
    return () -> CapturedAnswer.haveSucceeded(List.of(whole, target));
  }

  /** It describes the query, whose parameters have types now. */
  private ExecutionStep describingQuery() {
    described = true;
    ServerConnection server = server();
    query.ask(server, insert.query().sql(), parameterTypes());
    server.flush();
    ExecutionStep answered = query::hasSucceeded;
    // The statement as a whole is right: there each value has its column's type.
    return answered.failing(
        e ->
            e.fields().sqlState().code().startsWith(SYNTAX_CLASS)
                ? notApart(e.fields().message())
                : e);
  }

  /** As the statement has them, also where the query alone would not say it. */
  private int[] parameterTypes() {
    return Arrays.stream(whole.types())
        .map(oid -> Integer.compareUnsigned(oid, FIRST_OWN_TYPE) < 0 ? oid : 0)
        .toArray();
  }

  /** A number may become another one by way of the type that a column of VALUES has alone. */
  private void requireSameValues() {
    insert
        .unified()
        .forEach(
            (column, parameters) -> {
              int type = query.fields().get(column).typeOid();
              boolean isSame =
                  EXACT_NUMBERS.contains(type)
                      || type == target.fields().get(column).typeOid()
                      || parameters.stream().allMatch(index -> isOfType(type, index));
              if (!isSame) {
                throw notApart(
                    "in column " + (column + 1) + " of VALUES an inexact type and others");
              }
            });
  }

  private boolean isOfType(int type, int parameter) {
    return parameter != InsertedRows.COMPUTED && whole.types()[parameter] == type;
  }

  private ExecutionStep namingTypes() {
    requireSameValues();
    List<RowField> fields = query.fields();
    ValueTexts.requireWhole(fields, execution.settings());
    if (fields.size() <= insert.key()) {
      throw new StatementException(
          SqlState.FEATURE_NOT_SUPPORTED,
          "the query gives no value for the sharding column " + insert.sharding().column(),
          "Name the columns, and select a value for that one.");
    }
    List<RowField> asked = new ArrayList<>();
    for (int i = 0; i < fields.size(); i++) {
      // A server takes no text for a column of a pseudo-type, but a literal without a type.
      asked.add(fields.get(i).typeOid() == TEXT ? target.fields().get(i) : fields.get(i));
    }
    String oids = joined(asked.stream().map(field -> Integer.toUnsignedString(field.typeOid())));
    String modifiers = joined(asked.stream().map(field -> "-1"));
    RowField stored = target.fields().get(insert.key());
    String question =
        "SELECT pg_catalog.format_type(o, m) FROM ROWS FROM"
            + " (pg_catalog.unnest('{%s,%s}'::pg_catalog.oid[]),"
                .formatted(oids, Integer.toUnsignedString(stored.typeOid()))
            + " pg_catalog.unnest('{%s,%d}'::pg_catalog.int4[])) AS \"shardmark\" (o, m)"
                .formatted(modifiers, stored.typeModifier());
    Broadcast answer = Broadcast.of(execution.output(), List.of(server()), question);
    return answer.thenDo(() -> types = answer.values());
  }

  private static String joined(Stream<String> texts) {
    return texts.collect(Collectors.joining(","));
  }

  // ---- the query ----

  private ExecutionStep reading() {
    Arguments own = new Arguments.Text();
    if (arguments instanceof BoundArguments bound) {
      ByteBuf message = Unpooled.buffer(); // on the heap: nobody need release it
      new BindWriter(message, "", "").parameters(bound.bind()).resultsInText();
      StatementText text = execution.text(insert.query().sql(), parameterTypes());
      own = new BoundArguments(text, reader(message), ResultKeeper.NONE, 0, Protocol.EXTENDED);
    }
    return scattering.step(execution, rows, insert.query(), source, own);
  }

  private static BindReader reader(ByteBuf message) {
    BindReader bind = new BindReader(new NameCache());
    bind.read(message, 0, message.readableBytes());
    return bind;
  }

  private static List<@Nullable String> row(Message message) {
    return TextRow.readUtf8(message, InsertStep::notUtf8);
  }

  private static StatementException notUtf8() {
    return new StatementException(
        SqlState.FEATURE_NOT_SUPPORTED, "a text to be inserted is not of encoding UTF8");
  }

  // ---- the rows' shards ----

  /** Whether a key is already what the column will hold. */
  private boolean keysAreStoredAsTheyAre() {
    RowField stored = target.fields().get(insert.key());
    RowField given = query.fields().get(insert.key());
    boolean whole = stored.typeModifier() == -1 || stored.typeModifier() == given.typeModifier();
    return stored.typeOid() == given.typeOid() && whole;
  }

  /** A server computes keys that are not of the type of the sharding column. */
  private ExecutionStep convertingKeys() {
    rows.forEach(BackendType.NOTICE_RESPONSE, notice -> notice.writeTo(execution.output().out()));
    List<@Nullable String> given = new ArrayList<>();
    rows.forEach(BackendType.DATA_ROW, row -> given.add(row(row).get(insert.key())));
    if (keysAreStoredAsTheyAre()) {
      keys = given;
      return ExecutionStep.DONE;
    }
    TextArray texts = new TextArray();
    given.forEach(texts::add);
    String question =
        insert.keys(
            SettingsSql.literal(texts.toString()),
            types.get(insert.key()),
            types.get(types.size() - 1));
    Broadcast answer = Broadcast.of(execution.output(), List.of(server()), question);
    return answer.thenDo(
        () -> keys = answer.rows().get(0).stream().map(row -> row.get(0)).toList());
  }

  private ExecutionStep writing() {
    int columns = types.size() - 1;
    Map<Integer, List<TextArray>> byShard = new TreeMap<>();
    Iterator<@Nullable String> key = keys.iterator();
    rows.forEach(
        BackendType.DATA_ROW,
        message -> {
          List<TextArray> arrays =
              byShard.computeIfAbsent(insert.shardOf(key.next()), shard -> arrays(columns));
          List<@Nullable String> row = row(message);
          for (int i = 0; i < columns; i++) {
            arrays.get(i).add(row.get(i));
          }
        });
    if (byShard.isEmpty()) { // rights and triggers of the statement count even so
      byShard.put(source.shards().get(0), arrays(columns));
    }
    return writing(byShard);
  }

  private static List<TextArray> arrays(int columns) {
    return Stream.generate(TextArray::new).limit(columns).toList();
  }

  private ExecutionStep writing(Map<Integer, List<TextArray>> byShard) {
    String sql = insert.text(types.subList(0, types.size() - 1));
    int given = arguments instanceof BoundArguments bound ? bound.bind().parameterCount() : 0;
    List<String> arrays = new ArrayList<>();
    List<Route.Share> shares = new ArrayList<>();
    byShard.forEach(
        (shard, values) -> {
          List<Integer> parameters = new ArrayList<>(insert.tailParameters());
          for (TextArray array : values) {
            parameters.add(given + arrays.size());
            arrays.add(array.toString());
          }
          shares.add(new Route.Share(shard, sql, parameters));
        });
    if (given + arrays.size() > MAX_PARAMETERS) {
      throw new StatementException(
          SqlState.PROGRAM_LIMIT_EXCEEDED,
          "INSERT ... SELECT of so many columns over so many shards");
    }
    return scattering.step(
        execution,
        execution.output(),
        statement,
        new Route.Several(Access.WRITE, new ScatterStrategy.Sum(), shares),
        written(arrays, given));
  }

  /** One Bind with the client's parameters and all shards' arrays; each share names its own. */
  private BoundArguments written(List<String> arrays, int given) {
    ByteBuf message = Unpooled.buffer(); // on the heap: nobody need release it
    BindWriter writer = new BindWriter(message, "", "");
    StatementText text = execution.text(statement.sql(), parameterTypes());
    if (arguments instanceof BoundArguments bound) {
      writer
          .parameters(bound.bind(), IntStream.range(0, given).toArray(), arrays)
          .resultFormats(bound.bind(), 0);
      return new BoundArguments(
          text, reader(message), bound.portal(), bound.maxRows(), bound.protocol());
    }
    writer.texts(List.copyOf(arrays)).resultsInText();
    return new BoundArguments(text, reader(message), ResultKeeper.NONE, 0, Protocol.SIMPLE);
  }
}
