package io.shardmark.proxy.routing;

import java.util.Locale;
import java.util.Set;

/**
 * Over several shards keys are read, and texts are put in order, as the bytes of UTF-8: a client
 * that wants its texts in another encoding cannot be served rightly. Pure; for all threads.
 */
public final class ClientEncoding {
  public static final String REFUSED =
      "client_encoding must be UTF8 over several shards, whose rows are found and put in order by"
          + " the bytes of their texts";

  public static final String HINT = "Convert texts in the client.";

  /** SQL_ASCII converts nothing: the bytes are the server's. */
  private static final Set<String> SAFE = Set.of("utf8", "unicode", "sqlascii", "default");

  private ClientEncoding() {}

  /** Whether texts in this encoding, by one of its names, are UTF-8. */
  public static boolean isSafe(String name) {
    return SAFE.contains(name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", ""));
  }
}
