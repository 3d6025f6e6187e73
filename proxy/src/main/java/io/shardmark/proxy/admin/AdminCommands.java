package io.shardmark.proxy.admin;

import io.shardmark.config.ConfigException;
import io.shardmark.config.Spelling;
import io.shardmark.proxy.protocol.SqlState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The commands of the admin database: text in, table or word out. Any thread; nothing blocks.
 * Whether the user may use them is for the caller to know: {@code admin_users}.
 */
public final class AdminCommands {
  /** What drivers send by themselves; there is nothing to set and no transaction here. */
  private static final Set<String> IGNORED =
      Set.of("SET", "BEGIN", "COMMIT", "ROLLBACK", "DISCARD");

  /** By name, in the order in which HELP has them. */
  private final Map<String, AdminCommand> commands = new LinkedHashMap<>();

  /**
   * One that a user can give.
   *
   * @param meaning for HELP; "" is not shown there
   */
  private record AdminCommand(String meaning, Supplier<CompletionStage<AdminAnswer>> action) {}

  /** Those that say what they are about, in the order in which HELP has them. */
  private final List<OrderAbout> ordersAbout;

  private record OrderAbout(
      String usage,
      String meaning,
      Pattern pattern,
      Function<MatchResult, CompletionStage<String>> order) {}

  public AdminCommands(ProxyState state, ProxyControl control, GrowthControl growth) {
    AdminTables tables = new AdminTables(state);
    show("POOLS", "server connections and waiting clients of each shard", now(tables::pools));
    show(
        "CLIENTS",
        "client connections of this proxy",
        () -> state.clients().thenApply(tables::clients));
    show(
        "SERVERS",
        "server connections of this proxy",
        () -> state.servers().thenApply(AdminTables::servers));
    show(
        "SHARDS",
        "addresses and health of the shards",
        () ->
            state.shards().size() == state.config().shards().size()
                ? CompletableFuture.completedStage(tables.shards(Map.of(), ""))
                : growth
                    .additions()
                    .handle(
                        (stages, failure) ->
                            failure == null
                                ? tables.shards(stages, "pending: ADD SHARD has it count")
                                : tables.shards(Map.of(), "unknown: " + reason(failure))));
    show("HOSTS", "primaries and standbys of shards with several hosts", now(tables::hosts));
    show("SHARD MAP", "partitions and reference tables, and where they are", now(tables::shardMap));
    show("PROBLEMS", "tables on which the shards disagree", now(tables::problems));
    show("STATS", "counts since the start", now(tables::stats));
    show(
        "TRANSACTIONS",
        "transactions over several shards: of clients, prepared, in doubt",
        () -> state.transactions().thenApply(AdminTables::transactions));
    show("LOCKS", "who waits for whom", tables::locks);
    show(
        "MOVES",
        "moves of partitions, and how far they are",
        () -> growth.moves().thenApply(AdminTables::moves));
    show("CONFIG", "the configuration in force", now(tables::config));
    show("VERSION", "version of the proxy", now(AdminTables::version));
    show("HELP", "", now(this::help));
    order("RELOAD", "read the configuration file again", control::reload);
    order("PAUSE", "let no new transaction begin, and wait for those under way", control::pause);
    order("RESUME", "end a pause", control::resume);
    order(
        "DRAIN", "take no new clients, let transactions end, then end the process", control::drain);
    order("SHUTDOWN", "end the process now; open transactions are rolled back", control::shutdown);
    order("REBALANCE", "move partitions until all shards have about as much", growth::rebalance);
    ordersAbout =
        List.of(
            new OrderAbout(
                "ADD SHARD name",
                "fill a shard that a reload has appended, and have it count",
                Pattern.compile("(?i)add shard ([a-z0-9-]+)"),
                words -> growth.add(words.group(1).toLowerCase(Locale.ROOT))),
            new OrderAbout(
                "CANCEL ADD SHARD name",
                "undo the addition of a shard that does not count",
                Pattern.compile("(?i)cancel add shard ([a-z0-9-]+)"),
                words -> growth.cancel(words.group(1).toLowerCase(Locale.ROOT))),
            new OrderAbout(
                "MOVE PARTITION name TO shard",
                "move a partition, and those of all tables that place rows alike",
                Pattern.compile("(?i)move partition (.+) to ([a-z0-9-]+)"),
                words -> growth.move(words.group(1), words.group(2).toLowerCase(Locale.ROOT))),
            new OrderAbout(
                "CANCEL MOVE number",
                "undo a move that has not been switched",
                Pattern.compile("(?i)cancel move (\\d{1,9})"),
                words -> growth.cancel(Integer.parseInt(words.group(1)))));
  }

  private void show(String topic, String meaning, Supplier<CompletionStage<TextTable>> table) {
    commands.put(
        "SHOW " + topic,
        new AdminCommand(meaning, () -> table.get().thenApply(AdminAnswer.AdminRows::new)));
  }

  private static Supplier<CompletionStage<TextTable>> now(Supplier<TextTable> table) {
    return () -> CompletableFuture.completedStage(table.get());
  }

  private void order(String name, String meaning, Supplier<CompletionStage<String>> order) {
    commands.put(
        name,
        new AdminCommand(
            meaning, () -> order.get().handle((notice, failure) -> answer(name, notice, failure))));
  }

  private static AdminAnswer answer(String order, String notice, @Nullable Throwable failure) {
    return failure == null
        ? new AdminAnswer.Done(order, notice)
        : new AdminAnswer.Failed(SqlState.OBJECT_NOT_IN_PREREQUISITE_STATE, reason(failure), "");
  }

  /**
   * Runs one command.
   *
   * @param sql words in any case, with or without a semicolon at the end
   * @return completes on any thread, never exceptionally for what a user can cause
   */
  public CompletionStage<AdminAnswer> execute(String sql) {
    String text = normalised(sql);
    String name = text.toUpperCase(Locale.ROOT);
    AdminCommand command = commands.get(name);
    if (command != null) {
      return command.action().get();
    }
    for (OrderAbout one : ordersAbout) {
      Matcher words = one.pattern().matcher(text);
      if (words.matches()) {
        String tag = name.split(" ", 2)[0]; // libpq expects a number after "MOVE "
        return one.order().apply(words).handle((notice, failure) -> answer(tag, notice, failure));
      }
    }
    String firstWord = name.split(" ", 2)[0];
    return CompletableFuture.completedStage(
        IGNORED.contains(firstWord) ? new AdminAnswer.Done(firstWord, "") : unknown(name));
  }

  private static String reason(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return cause instanceof ConfigException ? String.valueOf(cause.getMessage()) : cause.toString();
  }

  private static String normalised(String sql) {
    return sql.strip().replaceAll(";\\s*$", "").strip().replaceAll("\\s+", " ");
  }

  private AdminAnswer unknown(String name) {
    List<String> known =
        commands.keySet().stream().map(each -> each.toLowerCase(Locale.ROOT)).sorted().toList();
    String hint =
        Spelling.nearest(name.toLowerCase(Locale.ROOT), known)
            .map(near -> "Did you mean " + near.toUpperCase(Locale.ROOT) + "?")
            .orElse("SHOW HELP lists the commands.");
    return new AdminAnswer.Failed(
        SqlState.SYNTAX_ERROR, "this is not a command of the admin database", hint);
  }

  private TextTable help() {
    return TextTable.of(
        "command meaning",
        Stream.concat(
            commands.entrySet().stream()
                .filter(each -> !each.getValue().meaning().isEmpty())
                .map(each -> TextTable.row(each.getKey(), each.getValue().meaning())),
            ordersAbout.stream().map(each -> TextTable.row(each.usage(), each.meaning()))));
  }
}
