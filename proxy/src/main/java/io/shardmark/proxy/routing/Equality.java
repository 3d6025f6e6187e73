package io.shardmark.proxy.routing;

import io.shardmark.proxy.routing.Syntax.Core;
import io.shardmark.proxy.routing.Syntax.Expression;
import io.shardmark.proxy.routing.Syntax.Item;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether groups and distinct rows of several shards can be put together here: values are equal
 * there if their bytes are, and each shard finds the same values.
 */
final class Equality {
  /** Collations whose equality is that of bytes; one of another name may not be such. */
  private static final Set<String> OF_BYTES =
      Set.of("C", "POSIX", "default", "ucs_basic", "pg_c_utf8", "unicode");

  private final String sql;
  private final TokenRange tokens;
  private final Analysis analysis;

  Equality(String sql, TokenRange tokens, Analysis analysis) {
    this.sql = sql;
    this.tokens = tokens;
    this.analysis = analysis;
  }

  /** Why not, or null. */
  @Nullable String obstacle(Core core, Stars stars) {
    String collated = collated(stars);
    if (collated != null) {
      return collated;
    }
    if (hasInnerQuery()) {
      return ofEachShard(List.of(new Expression(0, tokens.size(), List.of())));
    }
    String own = ofEachShard(core.items().stream().map(Item::expression).toList());
    return own == null ? ofEachShard(core.groupBy()) : own;
  }

  /** Then what is grouped may be made anywhere in the text. */
  private boolean hasInnerQuery() {
    for (int i = 1; i < tokens.size(); i++) {
      if (tokens.word(i, "select") && !tokens.word(i - 1, "as")) {
        return true;
      }
    }
    return false;
  }

  /** Whether all columns of a table may be among the result's. */
  enum Stars {
    NONE,
    SOME
  }

  private @Nullable String collated(Stars stars) {
    Set<String> columns = analysis.collated();
    if (!columns.isEmpty() && (stars == Stars.SOME || analysis.hasCollatedRenamed())) {
      return byCollation("column " + columns.iterator().next());
    }
    for (int i = 0; i < tokens.size(); i++) {
      Token token = tokens.at(i);
      if (token.isName() && columns.contains(token.text())) {
        return byCollation("column " + token.text());
      }
      if (tokens.word(i - 1, "collate") && !OF_BYTES.contains(tokens.at(i).text())) {
        return byCollation("an expression with COLLATE " + token.text());
      }
    }
    return null;
  }

  private static String byCollation(String what) {
    return "the collation of "
        + what
        + " may take different bytes for equal, which is not known outside the server";
  }

  /** The time, or chance: one server has one value for a statement, several have several. */
  private @Nullable String ofEachShard(List<Expression> expressions) {
    String what = CallFacts.of(sql, tokens, expressions).momentary();
    return what == null ? null : what + " has another value on each shard";
  }
}
