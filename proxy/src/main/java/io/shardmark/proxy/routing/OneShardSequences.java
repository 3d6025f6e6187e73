package io.shardmark.proxy.routing;

import io.shardmark.proxy.shardmap.ShardMap.NameSpace;
import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.sql.Name;
import io.shardmark.proxy.sql.SqlLexer;
import io.shardmark.proxy.sql.TableLookup;
import io.shardmark.proxy.sql.Token.TokenKind;
import io.shardmark.proxy.sql.TokenCursor;
import io.shardmark.proxy.sql.TokenRange;
import java.util.Set;
import java.util.TreeSet;

/** Sequences that one shard alone has, as calls of a statement name them by string constants. */
final class OneShardSequences {
  /** In place of a shard, of a call that names another sequence, or none by a constant. */
  static final int OTHER = -1;

  private static final Set<String> CALLS = Set.of("nextval", "currval", "setval");

  private OneShardSequences() {}

  /** Those of {@code nextval('s')} and of {@code setval(pg_get_serial_sequence('t', 'c'), 1)}. */
  static Set<Integer> shards(TokenRange tokens, TableLookup tables) {
    Set<Integer> shards = new TreeSet<>();
    for (int i = 0; i < tokens.size(); i++) {
      if (CALLS.contains(tokens.at(i).text()) && tokens.symbol(i + 1, "(")) {
        TokenCursor argument = new TokenCursor(tokens);
        argument.moveTo(i + 2);
        shards.add(shard(argument, tables));
      }
    }
    return shards;
  }

  private static int shard(TokenCursor argument, TableLookup tables) {
    argument.take("pg_catalog", ".");
    boolean ofColumn = argument.take("pg_get_serial_sequence", "(");
    String text = argument.peek().kind() == TokenKind.STRING ? argument.value() : "";
    Name name = new TokenCursor(new TokenRange(text, SqlLexer.tokens(text))).path();
    if (name == null) {
      return OTHER;
    }
    if (!ofColumn) {
      TableLookup.OneShardObject sequence =
          tables.alone(NameSpace.RELATIONS, name.schema(), name.name());
      return sequence == null ? OTHER : sequence.shard();
    }
    Table table = tables.find(name.schema(), name.name());
    return table != null && table.sharding() instanceof Sharding.OnShard on ? on.shard() : OTHER;
  }
}
