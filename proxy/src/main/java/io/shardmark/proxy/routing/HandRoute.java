package io.shardmark.proxy.routing;

import io.shardmark.proxy.shardmap.PartitionRule;
import io.shardmark.proxy.shardmap.ShardMap;
import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.sql.KeyFormatException;
import io.shardmark.proxy.sql.KeyText;
import io.shardmark.proxy.sql.SqlLexer;
import io.shardmark.proxy.sql.Token;
import io.shardmark.proxy.sql.TokenRange;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Routes that users give: {@code SET shardmark.key}, {@code SET shardmark.shard}, and comments
 * {@code /* shardmark_key: 42 *}{@code /} and {@code /* shardmark_shard: s1 *}{@code /}. Pure; for
 * all threads.
 */
public final class HandRoute {
  /** The parameter that names a shard. */
  public static final String SHARD = "shardmark.shard";

  /** The parameter that names a key. */
  public static final String KEY = "shardmark.key";

  private static final String MARK = "shardmark_";
  private static final Pattern COMMENT =
      Pattern.compile("\\bshardmark_(key|shard)\\s*[:=]\\s*(?:'([^']*)'|([^\\s*,;]+))");

  private HandRoute() {}

  /**
   * The shard that SET shardmark.shard or shardmark.key names; -1 if it takes the route back.
   *
   * @throws KeyFormatException if there is no such shard, if tables place keys differently, or if
   *     the key is not of their type, or belongs nowhere
   */
  public static int shardOf(ShardMap map, StatementPlan.SetRoute set) {
    String value = set.value();
    if (value == null || value.isEmpty()) {
      return -1;
    }
    return set.name().endsWith("shard")
        ? shardNamed(map, value)
        : shardOfKey(map, value, List.of());
  }

  private static int shardNamed(ShardMap map, String name) {
    int shard = map.shards().indexOf(name);
    if (shard < 0) {
      throw new KeyFormatException(
          "there is no shard \"" + name + "\", the shards are " + String.join(", ", map.shards()));
    }
    return shard;
  }

  /** What the comments of a statement say; null if nothing. */
  static @Nullable Integer inComments(TokenRange statement, ShardMap map) {
    String sql = statement.sql();
    if (!sql.contains(MARK)) {
      return null;
    }
    SqlLexer lexer = new SqlLexer(sql);
    for (Token.TokenKind kind = lexer.next(); kind != Token.TokenKind.END; kind = lexer.next()) {
      if (kind == Token.TokenKind.COMMENT) {
        Matcher matcher = COMMENT.matcher(sql.substring(lexer.start(), lexer.end()));
        if (matcher.find()) {
          String value = matcher.group(2) == null ? matcher.group(3) : matcher.group(2);
          return matcher.group(1).equals("shard")
              ? shardNamed(map, value)
              : shardOfKey(map, value, statement.tokens());
        }
      }
    }
    return null;
  }

  /** The rule is that of the tables the statement names; if it names none, that of all tables. */
  private static int shardOfKey(ShardMap map, String key, List<Token> tokens) {
    Set<String> names = new HashSet<>();
    tokens.stream().filter(Token::isName).forEach(token -> names.add(token.text()));
    Set<Sharding.ByColumn> named = new HashSet<>();
    Set<Sharding.ByColumn> all = new HashSet<>();
    for (Table table : map.tables().values()) {
      if (table.sharding() instanceof Sharding.ByColumn sharding) {
        Sharding.ByColumn rule =
            new Sharding.ByColumn("", sharding.keyType(), sharding.rule()); // any column's
        all.add(rule);
        if (names.contains(table.name().name())) {
          named.add(rule);
        }
      }
    }
    Set<Sharding.ByColumn> rules = named.isEmpty() ? all : named;
    if (rules.size() != 1) {
      throw new KeyFormatException(
          rules.isEmpty()
              ? "no table is sharded, so shardmark.key means nothing"
              : "tables place keys differently: name the shard with shardmark.shard");
    }
    Sharding.ByColumn rule = rules.iterator().next();
    int shard = rule.rule().shardOf(KeyText.of(rule.keyType(), key));
    if (shard == PartitionRule.NO_PARTITION) {
      throw new KeyFormatException("the key " + key + " belongs to no partition");
    }
    return shard;
  }
}
