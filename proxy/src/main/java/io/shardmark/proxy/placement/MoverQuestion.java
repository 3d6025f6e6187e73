package io.shardmark.proxy.placement;

import io.shardmark.proxy.recovery.ShardAccess;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Asks all proxies that are present on any shard to keep off tables. Blocks; thread-safe. */
final class MoverQuestion implements AutoCloseable {
  private static final int WAIT_MILLIS = 5;

  /** So many waits later it is seen whether who has not answered is still there. */
  private static final int LOOK_AGAIN = 20;

  private final List<ShardAccess> shards;
  private final Duration limit;

  /** Those of the last question, for the next one: DDL often comes in rows. */
  private final AtomicReference<@Nullable List<ShardPost>> kept = new AtomicReference<>();

  MoverQuestion(List<ShardAccess> shards, Duration limit) {
    this.shards = shards;
    this.limit = limit;
  }

  /** Where it was asked, and who has not answered there. */
  private record Asked(String shard, ShardPost post, Set<Integer> silent) {}

  /** "" if all have answered, else why that is not so. */
  String ask(int move, Set<String> tables) {
    List<ShardPost> used = kept.getAndSet(null);
    if (used != null) {
      try {
        return ask(used, move, tables);
      } catch (SQLException e) {
        close(used); // they have stood idle for long, perhaps
      }
    }
    List<ShardPost> posts = new ArrayList<>();
    try {
      for (ShardAccess shard : shards) {
        posts.add(ShardPost.ask(shard));
      }
      return ask(posts, move, tables);
    } catch (SQLException e) {
      close(posts);
      return "a shard cannot be asked which there are: " + e.getMessage();
    }
  }

  private String ask(List<ShardPost> posts, int move, Set<String> tables) throws SQLException {
    long begin = System.nanoTime();
    String text = new MoveMessage(move, tables).text();
    List<Asked> asked = new ArrayList<>();
    for (int shard = 0; shard < posts.size(); shard++) {
      ShardPost post = posts.get(shard);
      asked.add(new Asked(shards.get(shard).name(), post, post.present()));
      post.say(PlacementSql.MOVES, text);
    }
    int waits = 0;
    while (asked.stream().anyMatch(one -> !one.silent().isEmpty())) {
      if (System.nanoTime() - begin > limit.toNanos()) {
        keep(posts);
        return "no answer within " + limit.toSeconds() + " s from " + silent(asked);
      }
      waits++;
      for (Asked one : asked) {
        hear(one, String.valueOf(move), waits % LOOK_AGAIN == 0);
      }
    }
    keep(posts);
    return "";
  }

  private static void hear(Asked one, String move, boolean lookAgain) throws SQLException {
    if (one.silent().isEmpty()) {
      return;
    }
    one.silent().removeAll(one.post().whoSaid(move, WAIT_MILLIS));
    if (lookAgain) {
      one.silent().retainAll(one.post().present());
    }
  }

  private static String silent(List<Asked> asked) {
    return String.join(
        ", ",
        asked.stream()
            .filter(one -> !one.silent().isEmpty())
            .map(
                one ->
                    "server process %d of shard %s"
                        .formatted(one.silent().iterator().next(), one.shard()))
            .toList());
  }

  private void keep(List<ShardPost> posts) {
    List<ShardPost> before = kept.getAndSet(posts);
    if (before != null) {
      close(before);
    }
  }

  private static void close(List<ShardPost> posts) {
    posts.forEach(ShardPost::close);
  }

  @Override
  public void close() {
    List<ShardPost> left = kept.getAndSet(null);
    if (left != null) {
      close(left);
    }
  }
}
