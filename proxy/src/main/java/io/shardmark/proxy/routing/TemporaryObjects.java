package io.shardmark.proxy.routing;

import io.shardmark.proxy.shardmap.ShardMap;
import io.shardmark.proxy.sql.Token;
import io.shardmark.proxy.sql.Token.TokenKind;
import io.shardmark.proxy.sql.TokenRange;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Whether a statement makes, or names, what only its server connection knows: by TEMPORARY, by the
 * schema pg_temp, or because pg_temp is where new objects go (PG15 §5.9, ddl-schemas; §20.11.1,
 * search_path). What functions make inside is not seen.
 */
final class TemporaryObjects {
  private static final String SCHEMA = "pg_temp";
  private static final Set<String> BEFORE_TEMPORARY =
      Set.of("create", "replace", "local", "global", "into");
  private static final Set<String> TEMPORARY = Set.of("temp", "temporary");

  private TemporaryObjects() {}

  static boolean concern(TokenRange tokens, List<String> searchPath, ShardMap map) {
    boolean creates = false;
    for (int i = 0; i < tokens.size(); i++) {
      Token token = tokens.at(i);
      boolean word = token.kind() == TokenKind.WORD;
      boolean temporary =
          word
              && TEMPORARY.contains(token.text())
              && BEFORE_TEMPORARY.contains(tokens.at(i - 1).text());
      boolean inSchema =
          token.isName() && token.text().startsWith(SCHEMA) && tokens.symbol(i + 1, ".");
      if (temporary || inSchema) {
        return true;
      }
      creates |= word && (token.text().equals("create") || token.text().equals("into"));
    }
    if (tokens.word(0, "do")) {
      return tokens.sql().toLowerCase(Locale.ROOT).contains("temp"); // its body is a string
    }
    return creates && isWhereNewObjectsGo(searchPath, map) && !tokens.word(0, "insert");
  }

  /** Whether pg_temp comes before all schemas that exist. */
  private static boolean isWhereNewObjectsGo(List<String> searchPath, ShardMap map) {
    int at = searchPath.indexOf(SCHEMA);
    Set<String> before = new HashSet<>(searchPath.subList(0, Math.max(0, at)));
    before.retainAll(map.schemas().names());
    return at >= 0 && before.isEmpty();
  }
}
