package io.shardmark.proxy.oracle;

import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PGobject;

/** Makes statements over the tables of {@link Cluster}. */
final class RandomStatement {
  /** A table as a statement sees it: its name there, and columns of numbers and of texts. */
  private record Source(String name, String key, List<String> numbers, List<String> texts) {
    String column(String column) {
      return name + "." + column;
    }
  }

  /** A table's name, key column, other numbers, and texts. */
  private record TableShape(String table, String key, List<String> numbers, List<String> texts) {}

  private static final List<TableShape> TABLES =
      List.of(
          new TableShape("t", "k", List.of("k", "a"), List.of("b")),
          new TableShape("public.t", "k", List.of("k", "a"), List.of("b")),
          new TableShape("u", "k", List.of("k", "x"), List.of("y")),
          new TableShape("u", "k", List.of("k", "x"), List.of("y")),
          new TableShape("o", "k", List.of("k", "z"), List.of()),
          new TableShape("l", "code", List.of("v"), List.of("code")),
          new TableShape("g", "m", List.of("m", "v"), List.of("w")),
          new TableShape("r", "id", List.of("id", "v"), List.of("name")),
          new TableShape("s", "id", List.of("id", "v"), List.of("name")),
          new TableShape("rv", "id", List.of("id", "v"), List.of()),
          new TableShape("other.t", "a", List.of("a", "k"), List.of()),
          new TableShape("\"Odd\"", "\"Key\"", List.of("\"Key\"", "\"select\""), List.of()));

  private static final Pattern MARK = Pattern.compile("§(\\d+)§");

  /** Of the shape: the same seed makes statements that differ in values only. */
  private final Random random;

  /** Of the values. */
  private final Random values;

  private final boolean parameters;
  private final List<@Nullable Object> marked = new ArrayList<>();

  /** Whether the rows' order is told by the statement wholly. */
  boolean ordered;

  private int names;

  /** A text with {@code ?} for values, and the values in the order of the text. */
  record Made(String sql, List<@Nullable Object> values) {}

  RandomStatement(Random random, Random values, boolean parameters) {
    this.random = random;
    this.values = values;
    this.parameters = parameters;
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  @SafeVarargs
  private <T> T one(T... of) {
    return of[random.nextInt(of.length)];
  }

  /** Values stand as marks in the text until it is whole: parts are not made in its order. */
  private Made made(String text) {
    List<@Nullable Object> made = new ArrayList<>();
    Matcher matcher = MARK.matcher(text);
    StringBuilder sql = new StringBuilder();
    while (matcher.find()) {
      made.add(marked.get(Integer.parseInt(matcher.group(1))));
      matcher.appendReplacement(sql, "?");
    }
    return new Made(matcher.appendTail(sql).toString(), made);
  }

  private String mark(@Nullable Object value) {
    marked.add(value);
    return "§" + (marked.size() - 1) + "§";
  }

  /** A statement that reads. */
  Made query() {
    return made(anyQuery());
  }

  private String anyQuery() {
    if (chance(6)) {
      return with();
    }
    if (chance(8)) {
      ordered = false;
      return core(1) + one(" union all ", " union ", " intersect ", " except ") + core(1);
    }
    return ordered();
  }

  private String with() {
    String name = "c" + names++;
    String inner = "select k, a as z from t" + (chance(60) ? where(plain("t")) : "");
    Source source = new Source(name, "k", List.of("k", "z"), List.of());
    String from = name;
    if (chance(40)) {
      from = name + " join u on u.k = " + name + ".k";
    }
    String materialized = one("", "materialized ", "not materialized ");
    return "with %s as %s(%s) select %s, %s from %s%s"
        .formatted(
            name,
            materialized,
            inner,
            source.column("k"),
            source.column("z"),
            from,
            chance(60) ? where(List.of(source)) : "");
  }

  private List<Source> plain(String table) {
    for (TableShape shape : TABLES) {
      if (shape.table().equals(table)) {
        return List.of(new Source(table, shape.key(), shape.numbers(), shape.texts()));
      }
    }
    throw new IllegalArgumentException(table);
  }

  /** A SELECT with an order of all its columns, perhaps with LIMIT. */
  private String ordered() {
    int columns = 1 + random.nextInt(3);
    String core = core(columns);
    if (chance(40)) {
      ordered = false;
      return core;
    }
    StringBuilder text = new StringBuilder(core).append(" order by ");
    for (int i = 1; i <= columns; i++) {
      text.append(i == 1 ? "" : ", ").append(i).append(one("", " desc", " nulls first", ""));
    }
    if (chance(40)) {
      text.append(" limit ").append(chance(20) ? value(3) : random.nextInt(6));
      if (chance(50)) {
        text.append(" offset ").append(random.nextInt(4));
      }
    }
    ordered = true;
    return text.toString();
  }

  private String core(int columns) {
    List<Source> sources = new ArrayList<>();
    String from = from(sources);
    return switch (random.nextInt(10)) {
      case 0, 1 -> grouped(columns, sources, from);
      case 2 -> aggregates(columns, sources) + from + optionalWhere(sources);
      case 3 -> "select distinct " + items(columns, sources) + from + optionalWhere(sources);
      default -> "select " + items(columns, sources) + from + optionalWhere(sources);
    };
  }

  private String grouped(int columns, List<Source> sources, String from) {
    List<String> items = new ArrayList<>();
    List<String> groups = new ArrayList<>();
    int grouped = Math.max(1, columns - 1);
    for (int i = 0; i < grouped; i++) {
      String column = column(sources);
      items.add(column);
      groups.add(chance(25) ? Integer.toString(i + 1) : column);
    }
    for (int i = grouped; i < columns; i++) {
      items.add(aggregate(sources));
    }
    String having = chance(20) ? " having count(*) > " + random.nextInt(3) : "";
    return "select %s%s%s group by %s%s"
        .formatted(
            String.join(", ", items),
            from,
            optionalWhere(sources),
            String.join(", ", groups),
            having);
  }

  private String aggregates(int columns, List<Source> sources) {
    List<String> items = new ArrayList<>();
    for (int i = 0; i < columns; i++) {
      items.add(aggregate(sources));
    }
    return "select " + String.join(", ", items);
  }

  /** An aggregate, or an expression over some. */
  private String aggregate(List<Source> sources) {
    String first = simpleAggregate(sources);
    if (!chance(35)) {
      return first;
    }
    String number = number(sources);
    return switch (random.nextInt(7)) {
      case 0 -> "coalesce(max(" + number + "), 0) + 1";
      case 1 -> "round(avg(" + number + "), 2)";
      case 2 -> "max(" + number + ") - min(" + number + ")";
      case 3 -> "sum(" + number + ") / (count(*) - " + random.nextInt(3) + ")";
      case 4 -> "case when count(*) > 2 then " + first + " else null end";
      case 5 -> "(" + first + ")::text || '!'";
      default -> "count(*) > " + random.nextInt(4);
    };
  }

  private String simpleAggregate(List<Source> sources) {
    Source source = one(sources);
    String number = source.column(one(source.numbers()));
    return switch (random.nextInt(12)) {
      case 0, 1 -> "count(*)";
      case 2 -> "count(" + number + ")";
      case 3 -> "sum(" + number + ")";
      case 4 -> "min(" + number + ")";
      case 5 ->
          "max(" + (source.texts().isEmpty() ? number : source.column(source.texts().get(0))) + ")";
      case 6 -> "avg(" + number + ")";
      case 7 -> "count(distinct " + number + ")";
      case 8 -> "array_agg(" + number + " order by " + number + ")::text";
      case 9 -> "string_agg(distinct " + column(sources) + "::text, '+')";
      case 10 -> "json_agg(" + number + " order by " + number + " desc)";
      default -> "sum(" + number + ") filter (where " + number + " > 2)";
    };
  }

  private String items(int columns, List<Source> sources) {
    List<String> items = new ArrayList<>();
    for (int i = 0; i < columns; i++) {
      items.add(
          switch (random.nextInt(14)) {
            case 0 -> column(sources) + " is null";
            case 1 -> "coalesce(" + number(sources) + ", -1)";
            case 2 -> number(sources) + " + 1 as n" + names++;
            case 3 -> "case when " + condition(sources, 1) + " then 1 else 2 end";
            case 4 -> chance(30) ? scalarQuery(sources) : column(sources);
            case 5 -> chance(20) ? window(sources) : column(sources);
            case 6 -> "'x'";
            default -> column(sources) + (chance(15) ? " as \"n " + names++ + "\"" : "");
          });
    }
    return String.join(", ", items);
  }

  private String window(List<Source> sources) {
    Source source = one(sources);
    return "count(*) over (partition by " + source.column(source.key()) + ")";
  }

  private String scalarQuery(List<Source> sources) {
    Source source = one(sources);
    return "(select max(x) from u where u.k = " + source.column(one(source.numbers())) + ")";
  }

  private String column(List<Source> sources) {
    Source source = one(sources);
    if (!source.texts().isEmpty() && chance(30)) {
      return source.column(one(source.texts()));
    }
    return source.column(one(source.numbers()));
  }

  private String number(List<Source> sources) {
    Source source = one(sources);
    return source.column(one(source.numbers()));
  }

  // ---- FROM

  private String from(List<Source> sources) {
    StringBuilder text = new StringBuilder(" from ").append(item(sources));
    int more = chance(35) ? 1 + random.nextInt(2) : 0;
    for (int i = 0; i < more; i++) {
      join(text, sources);
    }
    return text.toString();
  }

  private void join(StringBuilder text, List<Source> sources) {
    List<Source> before = List.copyOf(sources);
    String kind =
        one(" join ", " join ", " left join ", " right join ", " inner join ", " full join ");
    if (chance(8)) {
      text.append(chance(50) ? ", " : " cross join ").append(item(sources));
      return;
    }
    String right = item(sources);
    Source joined = sources.get(sources.size() - 1);
    Source left = one(before);
    String on = left.column(left.key()) + " = " + joined.column(joined.key());
    boolean texts = left.texts().contains(left.key()) != joined.texts().contains(joined.key());
    if (chance(25) || texts) {
      on = left.column(left.numbers().get(0)) + " = " + joined.column(one(joined.numbers()));
    } else if (chance(15) && !kind.equals(" full join ")) {
      on = on + " and " + condition(List.of(left, joined), 1);
    }
    text.append(kind).append(right).append(" on ").append(on);
  }

  private String item(List<Source> sources) {
    TableShape shape = one(TABLES);
    if (chance(12)) {
      return derived(shape, sources);
    }
    String alias = alias();
    if (chance(8) && shape.texts().isEmpty()) {
      // Columns by other names.
      sources.add(new Source(alias, "p", List.of("p", "q"), List.of()));
      List<String> names = new ArrayList<>();
      names.add(shape.numbers().get(0).equals(shape.key()) ? "p" : "q");
      names.add(names.get(0).equals("p") ? "q" : "p");
      return shape.table() + " as " + alias + " (" + String.join(", ", names) + ")";
    }
    sources.add(new Source(alias, shape.key(), shape.numbers(), shape.texts()));
    return shape.table() + one(" ", " as ") + alias;
  }

  private String alias() {
    return chance(15) ? "\"T " + names++ + "\"" : "x" + names++;
  }

  private String derived(TableShape shape, List<Source> sources) {
    Source inner = new Source(shape.table(), shape.key(), shape.numbers(), shape.texts());
    List<String> columns = new ArrayList<>(shape.numbers());
    columns.addAll(shape.texts());
    String alias = alias();
    String tail = "";
    if (chance(15)) {
      tail = " order by 1, 2 limit 3";
    }
    sources.add(new Source(alias, shape.key(), shape.numbers(), shape.texts()));
    return "(select %s%s from %s%s%s) %s"
        .formatted(
            chance(15) ? "distinct " : "",
            String.join(", ", columns),
            shape.table(),
            chance(50) ? where(List.of(unqualified(inner))) : "",
            tail,
            alias);
  }

  private static Source unqualified(Source source) {
    int dot = source.name().lastIndexOf('.');
    return new Source(
        source.name().substring(dot + 1), source.key(), source.numbers(), source.texts());
  }

  // ---- WHERE

  private String optionalWhere(List<Source> sources) {
    return chance(85) ? where(sources) : "";
  }

  private String where(List<Source> sources) {
    return " where " + condition(sources, 3);
  }

  private String condition(List<Source> sources, int depth) {
    int kind = depth == 0 ? 9 : random.nextInt(12);
    return switch (kind) {
      case 0, 1 ->
          condition(sources, depth - 1) + " and " + parenthesised(condition(sources, depth - 1));
      case 2 ->
          parenthesised(condition(sources, depth - 1))
              + " or "
              + parenthesised(condition(sources, depth - 1));
      case 3 -> chance(40) ? "not (" + condition(sources, depth - 1) + ")" : atom(sources);
      case 4, 5 -> keyAtom(one(sources)) + " and " + parenthesised(condition(sources, depth - 1));
      case 6 -> chance(50) ? nested(sources) : keyAtom(one(sources));
      default -> chance(60) ? keyAtom(one(sources)) : atom(sources);
    };
  }

  private static String parenthesised(String condition) {
    return "(" + condition + ")";
  }

  private String keyAtom(Source source) {
    String key = source.column(source.key());
    if (source.texts().contains(source.key())) {
      return textAtom(key);
    }
    return switch (random.nextInt(18)) {
      case 0 -> value() + " = " + key;
      case 1 -> key + " in (" + value() + ", " + value() + ")";
      case 2 -> key + " in (" + value() + ")";
      case 3 -> key + " = any(array[" + number() + ", " + number() + "])";
      case 4 -> key + " = any('{" + number() + ", " + number() + "}'::int[])";
      case 5 -> parenthesised(key) + " = ((" + value() + "))";
      case 6 -> key + " = '" + number() + "'";
      case 7 -> key + " = " + cast();
      case 8 -> key + "::bigint = " + value(number()); // an oid: 22003 for keys below 0, by plan
      case 9 -> key + " = " + number() + ".0";
      case 10 -> key + " = null";
      case 11 -> key + one(" is null", " is not null");
      case 12 -> "(%s, %s) = (%s, %s)".formatted(key, key, value(), value());
      case 13 -> "(%s, 1) in ((%s, 1), (%s, 2))".formatted(key, value(), value());
      default -> key + " = " + value();
    };
  }

  private String cast() {
    int number = number();
    return switch (random.nextInt(4)) {
      case 0 -> "'" + number + "'::int";
      case 1 -> "cast(" + number + " as bigint)";
      case 2 -> "int4 '" + number + "'";
      default -> "(" + number + ")::smallint";
    };
  }

  private String textAtom(String key) {
    return switch (random.nextInt(6)) {
      case 0 -> key + " in (" + text() + ", " + text() + ")";
      case 1 -> text() + " = " + key;
      case 2 -> key + " is null";
      case 3 -> key + " = " + text() + "::text";
      default -> key + " = " + text();
    };
  }

  private String atom(List<Source> sources) {
    Source source = one(sources);
    if (!source.texts().isEmpty() && chance(25)) {
      return textAtom(source.column(one(source.texts())));
    }
    String number = source.column(one(source.numbers()));
    return switch (random.nextInt(13)) {
      case 0 -> number + " <> " + value();
      case 1 -> number + " < " + value();
      case 2 -> number + " between " + number() + " and " + (5 + number());
      case 3 -> number + " is not distinct from " + number();
      case 4 -> number + " = " + number(sources);
      case 5 -> number + " = all(array[" + number() + "])";
      case 6 -> number + " not in (" + value() + ", " + value() + ")";
      case 7 -> number + " + 0 = " + number();
      case 8 -> "case when " + number + " = 1 and true then " + number + " = 2 else true end";
      case 9 -> "(" + number + " = " + number() + ") is not true";
      case 10 -> "coalesce(" + number + ", 0) = " + value();
      case 11 -> "abs(" + number + ") = " + number();
      default -> number + " = " + value();
    };
  }

  private String nested(List<Source> sources) {
    Source source = one(sources);
    String number = source.column(one(source.numbers()));
    String key = source.texts().contains(source.key()) ? number : source.column(source.key());
    return switch (random.nextInt(11)) {
      case 8 -> "exists (select 1 from s where s.id = " + number + ")";
      case 9 -> number + " in (select id from s where v = " + number() + ")";
      case 10 -> key + " not in (select id from s where name = 'a')";
      case 0 -> "exists (select 1 from u where u.k = " + key + ")";
      case 1 -> key + " in (select k from u where " + keyAtom(plain("u").get(0)) + ")";
      case 2 -> "not exists (select from t where t.k = " + key + " and t.a = 1)";
      case 3 -> number + " = (select max(a) from t where " + keyAtom(plain("t").get(0)) + ")";
      case 4 -> key + " not in (select k from t where a = 1)";
      case 5 -> number + " in (select id from r where v = " + number() + ")";
      case 6 -> key + " in (select k from t)";
      default -> "exists (select 1 from r where r.id = " + number + ")";
    };
  }

  // ---- values

  private int number() {
    return values.nextInt(Cluster.KEYS + 5) - 4;
  }

  private String value() {
    if (chance(4)) {
      return one("null", "null::int", "null::bigint", "(null)");
    }
    return value(number(), 12);
  }

  private String value(int number) {
    return value(number, 0);
  }

  /**
   * @param odd in a hundred parameters those of other types than a key's, or written in odd ways
   */
  private String value(int number, int odd) {
    if (parameters && chance(80)) {
      return mark(
          chance(odd)
              ? oddValue(number)
              : switch (random.nextInt(8)) {
                case 0 -> (Object) (long) number;
                case 1 -> (short) number;
                default -> number;
              });
    }
    return Integer.toString(number);
  }

  private @Nullable Object oddValue(int number) {
    return switch (random.nextInt(12)) {
      case 0, 1 -> null;
      case 2 -> (double) number;
      case 3 -> (float) number;
      case 4 -> new BigDecimal(number);
      case 5 -> new BigDecimal(number).setScale(2);
      case 6 -> typed("oid", Integer.toString(Math.abs(number)));
      case 7 -> typed("unknown", " ".repeat(values.nextInt(80)) + number + "  ");
      case 8 -> typed("unknown", "0".repeat(values.nextInt(30)) + Math.abs(number));
      case 9 -> typed("unknown", "+" + Math.abs(number) + "\t");
      default -> typed("int2", Integer.toString(number));
    };
  }

  private static PGobject typed(String type, String text) {
    PGobject object = new PGobject();
    object.setType(type);
    try {
      object.setValue(text);
    } catch (SQLException e) {
      throw new IllegalArgumentException(e);
    }
    return object;
  }

  private String text() {
    List<String> texts = List.of("a", "b", "c", "d", "", "it's, (d)", "k = 5");
    String text = texts.get(values.nextInt(texts.size()));
    if (parameters && chance(80)) {
      return mark(chance(8) ? typed(one("bpchar", "varchar", "name", "unknown"), text) : text);
    }
    return "'" + text.replace("'", "''") + "'";
  }

  // ---- changes

  /** A statement that writes; the table it writes comes first. */
  Made change(String table) {
    TableShape shape =
        TABLES.stream()
            .filter(s -> s.table().equals(table) || ("public." + s.table()).equals(table))
            .findFirst()
            .orElseThrow();
    String name = chance(60) ? shape.table() : table;
    Source target = unqualified(new Source(name, shape.key(), shape.numbers(), shape.texts()));
    return made(
        switch (random.nextInt(7)) {
          case 0, 1 -> insert(name, shape);
          case 2 -> insertQuery(name, shape);
          case 3, 4 -> update(name, target, shape);
          default -> delete(name, target);
        });
  }

  private String insert(String name, TableShape shape) {
    int rows = chance(50) ? 1 : 2 + random.nextInt(3);
    List<String> columns = new ArrayList<>(shape.numbers());
    columns.addAll(shape.texts());
    if (chance(40)) {
      Collections.reverse(columns);
    }
    StringBuilder text = new StringBuilder("insert into " + name + " (");
    text.append(String.join(", ", columns)).append(") values ");
    int first = 100 + values.nextInt(50);
    for (int row = 0; row < rows; row++) {
      text.append(row == 0 ? "(" : ", (");
      for (int i = 0; i < columns.size(); i++) {
        text.append(i == 0 ? "" : ", ");
        boolean isText = shape.texts().contains(columns.get(i));
        boolean isNull = chance(8) && !columns.get(i).equals(shape.key());
        text.append(isNull ? "null" : isText ? text() : insertedNumber(first + row));
      }
      text.append(')');
    }
    if (chance(25) && !shape.table().equals("l") && !shape.table().equals("g")) {
      text.append(" on conflict do nothing");
    }
    if (chance(30)) {
      text.append(" returning ").append(columns.get(0));
    }
    return text.toString();
  }

  private String insertedNumber(int fresh) {
    if (chance(10)) {
      String sum = one("%d + 3", "abs(-%d)", "(%d * 2 - 7) / 2", "- -%d", "%d %% 40", "-(1 - %d)");
      return sum.formatted(fresh);
    }
    return chance(85) ? value(fresh) : value();
  }

  private String insertQuery(String name, TableShape shape) {
    List<String> columns = new ArrayList<>(shape.numbers());
    columns.addAll(shape.texts());
    Collections.shuffle(columns, random);
    String returning = chance(25) ? " returning " + columns.get(0) : "";
    return "insert into %s (%s) %s on conflict do nothing%s"
        .formatted(name, String.join(", ", columns), rowsFor(columns, shape), returning);
  }

  /** Rows for these columns, which no other rows of the same keys follow. */
  private String rowsFor(List<String> columns, TableShape shape) {
    boolean made = chance(25);
    TableShape from =
        one(TABLES.stream().filter(s -> s.texts().isEmpty() || !s.key().equals("code")).toList());
    Source source = unqualified(new Source(from.table(), from.key(), from.numbers(), from.texts()));
    List<String> items = new ArrayList<>();
    for (String column : columns) {
      boolean key = column.equals(shape.key());
      String number = key ? made ? "g" : from.key() : Integer.toString(number());
      if (shape.texts().contains(column)) {
        items.add(key ? number + "::text" : one("null", "'x'", "'it''s'::varchar(3)"));
      } else {
        items.add(key ? number + one("", " + 1000", " * 3", " + 0.4") : number);
      }
    }
    String first = "select " + String.join(", ", items);
    int start = values.nextInt(50);
    if (made) {
      return "%s from generate_series(%d, %d) g".formatted(first, start, start + 5);
    }
    String query = first + " from " + from.table() + where(List.of(source));
    // Of rows with one key either may be the first; here they are equal.
    return chance(15) ? query + " order by " + from.key() : query;
  }

  private String update(String name, Source target, TableShape shape) {
    String column = shape.numbers().get(shape.numbers().size() - 1);
    if (chance(10)) {
      column = one(shape.numbers());
    }
    // Whether x + 1 breaks a primary key on the way depends on the order of the rows on the disk.
    String value =
        column.equals("x") || column.equals(shape.key())
            ? one(value(), "null", column)
            : one(value(), column + " + 1", "null", "coalesce(" + column + ", 0) * 2", column);
    String text = "update " + name + " set " + column + " = " + value;
    if (chance(15)) {
      text +=
          " from r where r.id = "
              + target.column(shape.numbers().get(0))
              + " and "
              + keyAtom(target);
    } else if (chance(12)) {
      text +=
          " from u where u.k = "
              + target.column(shape.numbers().get(0))
              + " and u.x = 1 and "
              + keyAtom(target);
    } else {
      text += where(List.of(target));
    }
    return chance(25) ? text + " returning " + target.column(shape.numbers().get(0)) : text;
  }

  private String delete(String name, Source target) {
    if (chance(12)) {
      return "delete from %s using r where r.id = %s and %s"
          .formatted(name, target.column(target.numbers().get(0)), keyAtom(target));
    }
    return "delete from " + name + where(List.of(target));
  }
}
