package io.shardmark.proxy.routing.ddl;

import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.shardmap.Table;

/** CREATE INDEX: where its table is. */
final class CreateIndex {
  private final DdlText text;

  CreateIndex(DdlText text) {
    this.text = text;
  }

  /** After CREATE. */
  StatementPlan plan() {
    boolean unique = text.accept("unique");
    text.accept("index");
    DdlKind kind = text.accept("concurrently") ? DdlKind.ALONE : DdlKind.OTHER;
    text.accept("if", "not", "exists");
    if (!text.isWord(text.at(), "on")) {
      text.name();
    }
    text.accept("on");
    text.accept("only");
    DdlText.Name name = text.name();
    if (name == null || text.shards() == 1) {
      return text.everywhere(kind);
    }
    if (!unique) {
      text.onlyPlace();
    }
    Table table = text.table(name);
    int open = text.at();
    if (text.accept("using")) {
      open = text.at() + 1;
    }
    if (unique && table != null && text.isSymbol(open, "(")) {
      int end = open;
      var columns =
          text.parts(end + 1, text.afterParentheses(end) - 1).stream()
              .filter(part -> part[0] < part[1])
              .filter(part -> !text.isSymbol(part[0] + 1, "(")) // a function of columns
              .map(part -> text.token(part[0]).text())
              .toList();
      new TableElements(text, table.name(), text.distribution(table)).unique(columns);
    }
    // An index of a partition is one that the other shards do not have.
    boolean alone = text.onlyShard(table) >= 0;
    DdlKind noted = kind.transactional() ? DdlKind.SCHEMA : DdlKind.SCHEMA_ALONE;
    return text.whereTableIs(table, alone ? noted : kind);
  }
}
