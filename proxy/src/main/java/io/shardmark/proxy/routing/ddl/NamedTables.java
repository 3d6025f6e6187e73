package io.shardmark.proxy.routing.ddl;

import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.sql.Name;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A list of tables in a statement. A shard is sent those that it has; one without any, nothing. */
final class NamedTables {
  /** A table in the list, and the shard that it alone lives on, or -1. */
  private record NamedItem(int from, int to, int shard) {}

  private final DdlText text;
  private final List<NamedItem> items = new ArrayList<>();

  private NamedTables(DdlText text) {
    this.text = text;
  }

  /** Reads the list here: {@code [ONLY] name [*] [(columns)], ...}; moves past it. */
  static NamedTables read(DdlText text) {
    return read(text, text::onlyShard);
  }

  /**
   * A list of other objects too.
   *
   * @param places shards that alone have the object of a name, or -1
   */
  static NamedTables read(DdlText text, ToIntFunction<Name> places) {
    NamedTables tables = new NamedTables(text);
    do {
      int from = text.at();
      text.take("only");
      Name name = text.path();
      if (name == null) {
        break;
      }
      text.changes(name);
      text.take("*");
      if (text.isSymbol(text.at(), "(")) {
        text.moveTo(text.afterParentheses(text.at()));
      }
      tables.items.add(
          new NamedItem(text.start(from), text.end(text.at() - 1), places.applyAsInt(name)));
    } while (text.take(","));
    return tables;
  }

  /** The shards that alone have tables of the list; -1 among them for tables on all. */
  List<Integer> shards() {
    return items.stream().map(NamedItem::shard).distinct().toList();
  }

  StatementPlan plan(DdlKind kind) {
    if (items.stream().allMatch(item -> item.shard() < 0)) {
      return text.everywhere(kind);
    }
    return text.perShard(this::on, kind);
  }

  private @Nullable String on(int shard) {
    String names =
        items.stream()
            .filter(item -> item.shard() < 0 || item.shard() == shard)
            .map(item -> text.sql().substring(item.from(), item.to()))
            .collect(Collectors.joining(", "));
    if (names.isEmpty()) {
      return null;
    }
    return new TextEdits()
        .replace(items.get(0).from(), items.get(items.size() - 1).to(), names)
        .apply(text.sql());
  }
}
