package io.shardmark.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the key that was meant by a misspelt one. Pure; any thread. */
public final class Spelling {
  private static final int SHORT_KEY = 5;

  private Spelling() {}

  /**
   * The known key nearest to an unknown one: the same letters in another case, or up to two typing
   * errors away (one in a short key). Text that does not begin with a letter was meant as a comment
   * and has no suggestion.
   */
  static Optional<Key> suggestion(String unknown, Collection<? extends Key> keys) {
    if (unknown.isEmpty() || !Character.isLetter(unknown.charAt(0))) {
      return Optional.empty();
    }
    Key nearest = null;
    int least = unknown.length() <= SHORT_KEY ? 2 : 3;
    for (Key key : keys) {
      int limit = key.key().length() <= SHORT_KEY ? 2 : 3;
      int distance = distance(unknown.toLowerCase(Locale.ROOT), key.key().toLowerCase(Locale.ROOT));
      // Two letters differ from many words by one, so db is only suggested for DB and Db.
      boolean tooShort = key.key().length() <= 2 && distance > 0;
      if (distance < Math.min(least, limit) && !tooShort) {
        nearest = key;
        least = distance;
      }
    }
    return Optional.ofNullable(nearest);
  }

  /**
   * The known word nearest to an unknown one, up to two typing errors away (one in a short word).
   */
  public static Optional<String> nearest(String unknown, Collection<String> known) {
    String lowerCase = unknown.toLowerCase(Locale.ROOT);
    int limit = unknown.length() <= SHORT_KEY ? 1 : 2;
    return known.stream()
        .filter(word -> distance(lowerCase, word.toLowerCase(Locale.ROOT)) <= limit)
        .min(Comparator.comparingInt(word -> distance(lowerCase, word.toLowerCase(Locale.ROOT))));
  }

  /** Insertions, deletions, substitutions and swaps of neighbours that lead from a to b. */
  static int distance(String a, String b) {
    int[][] cost = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      cost[i][0] = i;
    }
    for (int j = 0; j <= b.length(); j++) {
      cost[0][j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      for (int j = 1; j <= b.length(); j++) {
        int substitution = cost[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int indel = Math.min(cost[i - 1][j], cost[i][j - 1]) + 1;
        cost[i][j] = Math.min(substitution, indel);
        boolean swapped =
            i > 1
                && j > 1
                && a.charAt(i - 1) == b.charAt(j - 2)
                && a.charAt(i - 2) == b.charAt(j - 1);
        if (swapped) {
          cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
      }
    }
    return cost[a.length()][b.length()];
  }
}
