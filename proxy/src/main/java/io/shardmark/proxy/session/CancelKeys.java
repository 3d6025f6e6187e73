package io.shardmark.proxy.session;

import io.shardmark.proxy.protocol.Bytes;
import io.shardmark.proxy.protocol.CancelKey;
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

  private record Entry(Bytes secretKey, Runnable cancel) {}

  /**
   * A new key of so many bytes.
   *
   * @param cancel what a request with it does, on any thread
   */
  CancelKey issue(int length, Runnable cancel) {
    byte[] secretKey = new byte[length];
    random.nextBytes(secretKey);
    Bytes key = Bytes.of(secretKey);
    while (true) {
      int processId = lastProcessId.incrementAndGet() & Integer.MAX_VALUE;
      if (entries.putIfAbsent(processId, new Entry(key, cancel)) == null) {
        return new CancelKey(processId, key);
      }
    }
  }

  void revoke(int processId) {
    entries.remove(processId);
  }

  /** Passes a cancel request on to its session; does nothing if the key is wrong. */
  public void cancel(CancelKey key) {
    Entry entry = entries.get(key.processId());
    if (entry != null
        && MessageDigest.isEqual(entry.secretKey().toArray(), key.secretKey().toArray())) {
      entry.cancel().run();
    }
  }
}
