package io.shardmark.sql.embedded;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The PostgreSQL settings of an embedded server, computed from what the machine has. Pure. */
final class ServerSettings {
  /** Connections in addition to the clients': monitoring, verification, our own set-up. */
  private static final int SPARE_CONNECTIONS = 15;

  private static final long MB = 1L << 20;
  private static final long GB = 1L << 30;

  private ServerSettings() {}

  /**
   * What the settings are computed from.
   *
   * @param memoryBytes what the server may plan with
   * @param freeDiskBytes free space where its files lie
   * @param connections clients at once
   * @param smallSharedMemory whether /dev/shm is too small for parallel queries, as in containers
   */
  record Machine(
      long memoryBytes, long freeDiskBytes, int connections, boolean smallSharedMemory) {}

  /** Setting names and values as they go into a configuration file, in the order they read best. */
  static Map<String, String> of(Machine machine, int port, EmbeddedOptions options) {
    Map<String, String> settings = new LinkedHashMap<>();
    Optional<String> address = options.via().filter(via -> !via.equals(EmbeddedOptions.UNIX));
    settings.put("listen_addresses", "127.0.0.1" + address.map(via -> "," + via).orElse(""));
    settings.put("port", Integer.toString(port));
    // A relative name: in the data directory.
    boolean hasSocket = options.via().isPresent() && address.isEmpty();
    settings.put("unix_socket_directories", hasSocket ? "." : "");
    settings.put("password_encryption", "scram-sha-256");

    int connections = machine.connections() + SPARE_CONNECTIONS;
    settings.put("max_connections", Integer.toString(connections));
    // Two-phase commit takes one slot for each transaction between PREPARE and its end.
    settings.put("max_prepared_transactions", Integer.toString(connections));
    // A statement on a partitioned table locks every partition it may touch.
    settings.put("max_locks_per_transaction", "256");

    long memory = machine.memoryBytes();
    settings.put("shared_buffers", megabytes(clamp(memory / 4, 16 * MB, 8 * GB)));
    settings.put("effective_cache_size", megabytes(memory / 4 * 3));
    settings.put("work_mem", megabytes(clamp(memory / 4 / connections, 4 * MB, 64 * MB)));
    settings.put("maintenance_work_mem", megabytes(clamp(memory / 16, 16 * MB, GB)));
    if (machine.smallSharedMemory()) {
      settings.put("dynamic_shared_memory_type", "mmap");
    }

    // A checkpoint in the middle of a short run makes its figures those of the disk. The log may
    // grow to a tenth of the free space, so that a small disk is not filled by it.
    long wal =
        clamp(memory, GB, Math.max(256 * MB, Math.min(16 * GB, machine.freeDiskBytes() / 10)));
    // A power of two: servers of one comparison have the same although the free space changes.
    settings.put("max_wal_size", megabytes(Long.highestOneBit(wal)));
    settings.put("min_wal_size", megabytes(clamp(wal / 4, 80 * MB, GB)));
    settings.put("checkpoint_timeout", "15min");
    settings.put("checkpoint_completion_target", "0.9");

    settings.put("random_page_cost", "1.1");
    // Compiling a plan costs more than any TPC-C statement takes.
    settings.put("jit", "off");
    settings.put("fsync", options.fsync() ? "on" : "off");
    if (!options.fsync()) {
      settings.put("full_page_writes", "off");
    }
    settings.put("log_line_prefix", "%m [%p] ");
    settings.put("lc_messages", "C");
    settings.putAll(options.settings());
    return settings;
  }

  private static long clamp(long value, long min, long max) {
    return Math.max(Math.min(value, max), Math.min(min, max));
  }

  private static String megabytes(long bytes) {
    return bytes / MB + "MB";
  }
}
