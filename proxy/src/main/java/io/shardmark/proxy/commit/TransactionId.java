package io.shardmark.proxy.commit;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a client calls a transaction that it may ask about later: {@code <shard>:<number>}, by the
 * number of its part on one shard. That part writes, so it ends as the whole transaction does.
 *
 * @param number as txid_current() gives it
 */
public record TransactionId(String shard, long number) {
  private static final Pattern TEXT = Pattern.compile("([a-z0-9_-]{1,63}):([0-9]{1,18})");

  public String text() {
    return shard + ":" + number;
  }

  /** Reads {@link #text}; empty if it is anything else. */
  public static Optional<TransactionId> parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    return matcher.matches()
        ? Optional.of(new TransactionId(matcher.group(1), Long.parseLong(matcher.group(2))))
        : Optional.empty();
  }
}
