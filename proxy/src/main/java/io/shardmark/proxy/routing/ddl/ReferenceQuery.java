package io.shardmark.proxy.routing.ddl;

import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.sql.CallFacts;
import io.shardmark.proxy.sql.Name;
import io.shardmark.proxy.sql.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The query of CREATE TABLE AS or of a materialized view must give every shard the same rows. */
final class ReferenceQuery {
  /** Which rows they leave depends on the order in which a server finds them. */
  private static final Set<String> CHOICE_OF_ROWS =
      Set.of("limit", "offset", "fetch", "tablesample");

  private ReferenceQuery() {}

  /**
   * Looks at every name from this token on.
   *
   * @throws DdlRefusedException if one is a sharded table, or a function that differs between
   *     shards
   */
  static void check(DdlText text, int from) {
    String different =
        CallFacts.hasDistinctOn(text.tokens())
            ? "DISTINCT ON"
            : CallFacts.of(text.tokens(), Span.of(from, text.end())).different();
    if (different != null) {
      throw refused("because of " + different);
    }
    for (int i = from; i < text.end(); i++) {
      if (text.token(i).isName() && CHOICE_OF_ROWS.contains(text.token(i).text())) {
        throw refused("because of " + text.token(i).text().toUpperCase(Locale.ROOT));
      }
    }
    for (Table table : named(text, from)) {
      if (!Distribution.of(table).is(Distribution.DistributionKind.REFERENCE)) {
        throw refused("it reads \"" + table.name().name() + "\"");
      }
    }
  }

  /** Whether that shard has all rows of the tables that are named from this token on. */
  static boolean isOn(DdlText text, int from, int shard) {
    return named(text, from).stream()
        .map(Distribution::of)
        .allMatch(one -> one.is(Distribution.DistributionKind.REFERENCE) || one.shard() == shard);
  }

  /** What is named from this token on, and in the map a table; moves to that token. */
  private static List<Table> named(DdlText text, int from) {
    List<Table> tables = new ArrayList<>();
    text.moveTo(from);
    while (!text.done()) {
      Name name = text.path();
      Table table = name == null ? null : text.table(name);
      if (table != null) {
        tables.add(table);
      } else if (name == null) {
        text.moveTo(text.at() + 1);
      }
    }
    text.moveTo(from);
    return tables;
  }

  /**
   * The shard of which the names from this token on name a table that it alone has, or -1.
   *
   * @throws DdlRefusedException if there are several such shards
   */
  static int onlyShard(DdlText text, int from) {
    Set<Integer> shards =
        named(text, from).stream()
            .map(text::onlyShard)
            .filter(shard -> shard >= 0)
            .collect(Collectors.toSet());
    if (shards.size() > 1) {
      throw new DdlRefusedException(
          "the tables it names are on different shards", "Use tables of one shard.");
    }
    return shards.isEmpty() ? -1 : shards.iterator().next();
  }

  private static DdlRefusedException refused(String reason) {
    return new DdlRefusedException(
        "the query would give other rows on each shard: " + reason,
        "Create the table first, then fill it with INSERT or COPY.");
  }
}
