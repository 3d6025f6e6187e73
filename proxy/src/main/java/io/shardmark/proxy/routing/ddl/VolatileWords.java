package io.shardmark.proxy.routing.ddl;

import java.util.Set;

/** Words that give another value on each shard that they are executed on. */
final class VolatileWords {
  private static final Set<String> WORDS =
      Set.of(
          "clock_timestamp",
          "currval",
          "current_date",
          "current_time",
          "current_timestamp",
          "gen_random_bytes",
          "gen_random_uuid",
          "inet_server_addr",
          "inet_server_port",
          "lastval",
          "localtime",
          "localtimestamp",
          "nextval",
          "now",
          "pg_backend_pid",
          "pg_current_xact_id",
          "random",
          "random_normal",
          "statement_timestamp",
          "timeofday",
          "transaction_timestamp",
          "txid_current",
          "uuid_generate_v1",
          "uuid_generate_v1mc",
          "uuid_generate_v4",
          "uuidv4",
          "uuidv7");

  private VolatileWords() {}

  /** The first one among these tokens, or "". */
  static String first(DdlText text, int from, int to) {
    for (int i = from; i < to; i++) {
      if (text.token(i).isName() && WORDS.contains(text.token(i).text())) {
        return text.token(i).text();
      }
    }
    return "";
  }
}
