package io.shardmark.proxy.placement;

import io.shardmark.proxy.recovery.ShardAccess;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Asks all proxies that are present on any shard to keep off tables. Blocks. */
final class MoverQuestion {
  private static final int WAIT_MILLIS = 5;

  /** So many waits later it is seen whether who has not answered is still there. */
  private static final int LOOK_AGAIN = 20;

  private final List<ShardAccess> shards;
  private final Duration limit;

  MoverQuestion(List<ShardAccess> shards, Duration limit) {
    this.shards = shards;
    this.limit = limit;
  }

  /** Where it was asked, and who has not answered there. */
  private record Asked(ShardPost post, Set<Integer> silent) {}

  /** "" if all have answered, else why that is not so. */
  String ask(int move, Set<String> tables) {
    long begin = System.nanoTime();
    Map<String, Asked> asked = new LinkedHashMap<>();
    String shard = "";
    try {
      List<String> texts = MoveMessage.texts(move, tables);
      for (ShardAccess access : shards) {
        shard = access.name();
        ShardPost post = ShardPost.ask(access);
        asked.put(shard, new Asked(post, Set.of()));
        asked.put(shard, new Asked(post, post.present()));
        post.say(PlacementSql.MOVES, texts);
      }
      int waits = 0;
      while (asked.values().stream().anyMatch(one -> !one.silent().isEmpty())) {
        if (System.nanoTime() - begin > limit.toNanos()) {
          return "no answer within " + limit.toSeconds() + " s from " + silent(asked);
        }
        waits++;
        for (Map.Entry<String, Asked> one : asked.entrySet()) {
          shard = one.getKey();
          hear(one.getValue(), String.valueOf(move), waits % LOOK_AGAIN == 0);
        }
      }
      return "";
    } catch (SQLException e) {
      return "shard " + shard + " cannot be asked which there are: " + e.getMessage();
    } finally {
      asked.values().forEach(one -> one.post().close());
    }
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

  private static String silent(Map<String, Asked> asked) {
    StringBuilder text = new StringBuilder();
    asked.forEach(
        (shard, one) -> {
          if (!one.silent().isEmpty()) {
            text.append(text.isEmpty() ? "" : ", ")
                .append("server process ")
                .append(one.silent().iterator().next())
                .append(" of shard ")
                .append(shard);
          }
        });
    return text.toString();
  }
}
