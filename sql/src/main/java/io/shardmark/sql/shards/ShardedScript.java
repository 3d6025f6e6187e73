package io.shardmark.sql.shards;

import io.shardmark.sql.script.ScriptPart;
import io.shardmark.sql.script.ScriptPart.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Scripts for a sharded endpoint are written for any number of shards: a table is {@code partition
 * by hash (...)} and its partitions are added here, each with the shard it is for. A script that
 * names its partitions itself is left as it is. Storage parameters, which PostgreSQL refuses on a
 * partitioned table, go to its partitions.
 */
public final class ShardedScript {
  private static final Pattern PARTITIONED =
      Pattern.compile(
          "(?s)create table (?:if not exists )?([a-z_][a-z0-9_$]*) ?\\(.*\\) ?partition by hash ?\\([^()]*\\)");
  private static final Pattern PARTITION_OF =
      Pattern.compile("\\bpartition of ([a-z_][a-z0-9_$]*)\\b");
  private static final Pattern SET_STORAGE =
      Pattern.compile("alter table ([a-z_][a-z0-9_$]*) (set ?\\(.*\\))");

  private ShardedScript() {}

  /** Position of the first statement whose partitions are missing, or the number of parts. */
  public static int firstToExpand(List<ScriptPart> parts) {
    for (int i = 0; i < parts.size(); i++) {
      if (tableWithoutPartitions(parts.get(i), parts).isPresent()) {
        return i;
      }
    }
    return parts.size();
  }

  /** Adds the partitions of a layout to every table that is there without any. */
  public static List<ScriptPart> withPartitions(
      List<ScriptPart> parts, List<HashPartition> layout) {
    List<ScriptPart> expanded = new ArrayList<>();
    for (ScriptPart part : parts) {
      expanded.add(part);
      tableWithoutPartitions(part, parts)
          .ifPresent(
              table ->
                  HashPartition.createAll(table, layout)
                      .forEach(text -> expanded.add(new Statement(part.line(), text))));
    }
    return List.copyOf(expanded);
  }

  /** Turns storage parameters of hash-partitioned tables into those of their partitions. */
  public static List<ScriptPart> withStorageOfPartitions(List<ScriptPart> parts, ShardMap map) {
    List<ScriptPart> expanded = new ArrayList<>();
    for (ScriptPart part : parts) {
      Optional<Matcher> storage = matching(SET_STORAGE, part);
      List<HashPartition> partitions =
          storage.map(found -> map.hashPartitions(found.group(1))).orElse(List.of());
      if (partitions.isEmpty()) {
        expanded.add(part);
      }
      for (HashPartition partition : partitions) {
        Matcher found = storage.orElseThrow();
        expanded.add(
            new Statement(
                part.line(),
                "alter table %s %s".formatted(partition.nameIn(found.group(1)), found.group(2))));
      }
    }
    return List.copyOf(expanded);
  }

  private static Optional<String> tableWithoutPartitions(ScriptPart part, List<ScriptPart> all) {
    return matching(PARTITIONED, part)
        .map(matcher -> matcher.group(1))
        .filter(table -> all.stream().noneMatch(other -> isPartitionOf(table, other)));
  }

  private static boolean isPartitionOf(String table, ScriptPart part) {
    Matcher matcher = PARTITION_OF.matcher(plain(part));
    return matcher.find() && matcher.group(1).equals(table);
  }

  private static Optional<Matcher> matching(Pattern pattern, ScriptPart part) {
    Matcher matcher = pattern.matcher(plain(part));
    return matcher.matches() ? Optional.of(matcher) : Optional.empty();
  }

  /** A statement in lower case with single blanks; nothing for a comment. */
  private static String plain(ScriptPart part) {
    return part instanceof Statement statement
        ? statement.text().strip().replaceAll("\\s+", " ").toLowerCase(Locale.ROOT)
        : "";
  }
}
