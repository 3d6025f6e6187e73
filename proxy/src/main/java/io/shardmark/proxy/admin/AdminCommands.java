package io.shardmark.proxy.admin;

import io.shardmark.config.ConfigException;
import io.shardmark.config.Spelling;
import io.shardmark.proxy.protocol.SqlState;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The commands of the admin database: text in, table or word out. Any thread; nothing blocks.
 * Whether the user may use them is for the caller to know: {@code admin_users}.
 */
public final class AdminCommands {
  /** What drivers send by themselves; there is nothing to set and no transaction here. */
  private static final Set<String> IGNORED =
      Set.of("SET", "BEGIN", "COMMIT", "ROLLBACK", "DISCARD");

  private final Map<String, Supplier<CompletionStage<TextTable>>> shows;
  private final Map<String, Supplier<CompletionStage<String>>> orders;

  public AdminCommands(ProxyState state, ProxyControl control) {
    AdminTables tables = new AdminTables(state);
    this.shows =
        Map.ofEntries(
            Map.entry("POOLS", now(tables::pools)),
            Map.entry("CLIENTS", tables::clients),
            Map.entry("SERVERS", tables::servers),
            Map.entry("SHARDS", now(tables::shards)),
            Map.entry("STATS", now(tables::stats)),
            Map.entry("TRANSACTIONS", tables::transactions),
            Map.entry("LOCKS", tables::locks),
            Map.entry("CONFIG", now(tables::config)),
            Map.entry("PROBLEMS", now(tables::problems)),
            Map.entry("SHARD MAP", now(tables::shardMap)),
            Map.entry("VERSION", now(AdminTables::version)),
            Map.entry("HELP", now(AdminCommands::help)));
    this.orders =
        Map.of(
            "RELOAD", control::reload,
            "PAUSE", control::pause,
            "RESUME", control::resume,
            "DRAIN", control::drain,
            "SHUTDOWN", control::shutdown);
  }

  private static Supplier<CompletionStage<TextTable>> now(Supplier<TextTable> table) {
    return () -> CompletableFuture.completedStage(table.get());
  }

  /**
   * Runs one command.
   *
   * @param sql words in any case, with or without a semicolon at the end
   * @return completes on any thread, never exceptionally for what a user can cause
   */
  public CompletionStage<AdminAnswer> execute(String sql) {
    String command = normalised(sql);
    if (command.startsWith("SHOW ")) {
      String topic = command.substring("SHOW ".length());
      Supplier<CompletionStage<TextTable>> show = shows.get(topic);
      return show == null ? unknown(command) : show.get().thenApply(AdminAnswer.Rows::new);
    }
    String firstWord = command.split(" ", 2)[0];
    if (IGNORED.contains(firstWord)) {
      return CompletableFuture.completedStage(new AdminAnswer.Done(firstWord, ""));
    }
    Supplier<CompletionStage<String>> order = orders.get(command);
    if (order == null) {
      return unknown(command);
    }
    return order
        .get()
        .handle(
            (notice, failure) ->
                failure == null
                    ? new AdminAnswer.Done(command, notice)
                    : new AdminAnswer.Failed(
                        SqlState.OBJECT_NOT_IN_PREREQUISITE_STATE, reason(failure), ""));
  }

  private static String reason(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return cause instanceof ConfigException ? String.valueOf(cause.getMessage()) : cause.toString();
  }

  private static String normalised(String sql) {
    return sql.strip()
        .replaceAll(";\\s*$", "")
        .strip()
        .replaceAll("\\s+", " ")
        .toUpperCase(Locale.ROOT);
  }

  private CompletionStage<AdminAnswer> unknown(String command) {
    List<String> known =
        Stream.concat(
                shows.keySet().stream().map(topic -> "SHOW " + topic), orders.keySet().stream())
            .sorted()
            .toList();
    String hint =
        Spelling.nearest(command.toLowerCase(Locale.ROOT), lowerCase(known))
            .map(near -> "Did you mean " + near.toUpperCase(Locale.ROOT) + "?")
            .orElse("SHOW HELP lists the commands.");
    return CompletableFuture.completedStage(
        new AdminAnswer.Failed(
            SqlState.SYNTAX_ERROR, "this is not a command of the admin database", hint));
  }

  private static List<String> lowerCase(List<String> words) {
    return words.stream().map(word -> word.toLowerCase(Locale.ROOT)).toList();
  }

  private static TextTable help() {
    return TextTable.of("command", "meaning")
        .row("SHOW POOLS", "server connections and waiting clients of each shard")
        .row("SHOW CLIENTS", "client connections of this proxy")
        .row("SHOW SERVERS", "server connections of this proxy")
        .row("SHOW SHARDS", "addresses and health of the shards")
        .row("SHOW SHARD MAP", "partitions and reference tables, and where they are")
        .row("SHOW PROBLEMS", "tables on which the shards disagree")
        .row("SHOW STATS", "counts since the start")
        .row(
            "SHOW TRANSACTIONS", "transactions over several shards: of clients, prepared, in doubt")
        .row("SHOW LOCKS", "who waits for whom")
        .row("SHOW CONFIG", "the configuration in force")
        .row("SHOW VERSION", "version of the proxy")
        .row("RELOAD", "read the configuration file again")
        .row("PAUSE", "let no new transaction begin, and wait for those under way")
        .row("RESUME", "end a pause")
        .row("DRAIN", "take no new clients, let transactions end, then end the process")
        .row("SHUTDOWN", "end the process now; open transactions are rolled back")
        .build();
  }
}
