package io.shardmark.proxy.session;

import io.shardmark.proxy.protocol.Bytes;
import io.shardmark.proxy.protocol.CancelKey;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Which session a cancel request means. Any thread. */
public final class CancelKeys {
  private final SecureRandom random = new SecureRandom();
  private final AtomicInteger lastProcessId = new AtomicInteger(random.nextInt(1 << 20));
  private final Map<Integer, CancelEntry> entries = new ConcurrentHashMap<>();

  private record CancelEntry(Bytes secretKey, Consumer<Runnable> cancel) {}

  /**
   * A new key of so many bytes.
   *
   * @param preferred the process number that it has if no other key has it; 0: any
   * @param cancel what a request with it does, on any thread; runs what it is given when no server
   *     can be hit by it any more
   */
  CancelKey issue(int length, int preferred, Consumer<Runnable> cancel) {
    byte[] secretKey = new byte[length];
    random.nextBytes(secretKey);
    Bytes key = Bytes.of(secretKey);
    int processId = preferred;
    while (processId == 0 || entries.putIfAbsent(processId, new CancelEntry(key, cancel)) != null) {
      processId = lastProcessId.incrementAndGet() & Integer.MAX_VALUE;
    }
    return new CancelKey(processId, key);
  }

  void revoke(int processId) {
    entries.remove(processId);
  }

  /**
   * Passes a cancel request on to its session; does nothing if the key is wrong.
   *
   * @param done runs when it cannot hit a later statement any more, on any thread
   */
  public void cancel(CancelKey key, Runnable done) {
    CancelEntry entry = entries.get(key.processId());
    if (entry != null
        && MessageDigest.isEqual(entry.secretKey().toArray(), key.secretKey().toArray())) {
      entry.cancel().accept(done);
    } else {
      done.run();
    }
  }
}
