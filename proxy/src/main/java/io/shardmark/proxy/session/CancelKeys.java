package io.shardmark.proxy.session;

import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Which session a cancel request means. Any thread. */
public final class CancelKeys {
  private final SecureRandom random = new SecureRandom();
  private final AtomicInteger lastProcessId = new AtomicInteger(random.nextInt(1 << 20));
  private final Map<Integer, Entry> entries = new ConcurrentHashMap<>();

  private record Entry(byte[] secretKey, ClientSession session) {}

  /**
   * What a client is told in BackendKeyData.
   *
   * @param secretKey random
   */
  public record Key(int processId, byte[] secretKey) {}

  /** A new key of so many bytes. */
  Key issue(int length, ClientSession session) {
    byte[] secretKey = new byte[length];
    random.nextBytes(secretKey);
    while (true) {
      int processId = lastProcessId.incrementAndGet() & Integer.MAX_VALUE;
      if (entries.putIfAbsent(processId, new Entry(secretKey, session)) == null) {
        return new Key(processId, secretKey);
      }
    }
  }

  void revoke(int processId) {
    entries.remove(processId);
  }

  /** Passes a cancel request on to its session; does nothing if the key is wrong. */
  public void cancel(int processId, byte[] secretKey) {
    Entry entry = entries.get(processId);
    if (entry != null && MessageDigest.isEqual(entry.secretKey(), secretKey)) {
      entry.session().requestCancel();
    }
  }
}
