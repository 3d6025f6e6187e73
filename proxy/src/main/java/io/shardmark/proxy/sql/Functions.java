package io.shardmark.proxy.sql;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** What is known about functions by their names. */
public final class Functions {
  /** What calling a function means to a route. */
  public enum FunctionKind {
    /** The same on every shard, where a client's settings are the same. */
    IMMUTABLE,
    /** Depends on the time, the session or the tables of the catalog: may differ between shards. */
    STABLE,
    /** Differs at each call, or looks at the server; changes nothing that a rollback undoes. */
    VOLATILE,
    AGGREGATE,
    WINDOW,
    /** nextval. */
    SEQUENCE,
    /** setval: over several shards each has its part of the numbers. */
    SEQUENCE_CHANGE,
    /** pg_notify. */
    NOTIFICATION,
    /** Acts on the whole server: to be called on each of them. */
    EVERY_SERVER,
    /** Locks that clients agree on by number: must all be on the same shard. */
    ADVISORY,
    /** Advisory locks that outlive the transaction. */
    SESSION_ADVISORY,
    /** Changes what the proxy cannot carry from one server connection to another. */
    SESSION,
    /** Depends on what this client has got from nextval on the same server connection. */
    SEQUENCE_STATE,
    /** Anything else: of a user, an extension, or made to change things. */
    UNKNOWN
  }

  private static final Map<String, FunctionKind> KINDS = read();

  private Functions() {}

  /** The kind of a function, by its name without a schema. */
  public static FunctionKind kind(String name) {
    return KINDS.getOrDefault(name, FunctionKind.UNKNOWN);
  }

  /**
   * Whether the function is about objects by their oids, or about processes or transactions by
   * their numbers: what one server has given out, only the same one understands.
   */
  static boolean looksAtCatalog(String name) {
    if (name.startsWith("pg_")) {
      return !name.startsWith("pg_sleep") && !name.contains("advisory");
    }
    return name.startsWith("has_")
        || name.startsWith("txid_")
        || name.startsWith("to_reg")
        || name.endsWith("_description")
        || name.equals("format_type");
  }

  private static Map<String, FunctionKind> read() {
    Map<String, FunctionKind> kinds = new HashMap<>();
    InputStream resource =
        Objects.requireNonNull(Functions.class.getResourceAsStream("functions.txt"));
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(resource, StandardCharsets.US_ASCII))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        int blank = line.indexOf(' ');
        if (!line.startsWith("#")) {
          FunctionKind kind =
              FunctionKind.valueOf(line.substring(0, blank).toUpperCase(Locale.ROOT));
          kinds.put(line.substring(blank + 1), kind);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Map.copyOf(kinds);
  }
}
