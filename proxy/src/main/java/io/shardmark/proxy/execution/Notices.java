package io.shardmark.proxy.execution;

import io.netty.buffer.ByteBufUtil;
import io.shardmark.proxy.protocol.Bytes;
import io.shardmark.proxy.protocol.Message;
import java.util.HashMap;
import java.util.Map;

/**
 * The notices of several servers on one statement. The client gets each as often as the server that
 * gives it most often: what all servers say is said once, what one server says is not lost.
 */
public final class Notices {
  /** Of more different ones each is passed on as it comes: they are held to be compared. */
  private static final int MOST_COMPARED = 1000;

  private final Output client;
  private final Map<Bytes, Integer> passed = new HashMap<>();
  private final Map<GivenNotice, Integer> given = new HashMap<>();

  private record GivenNotice(int server, Bytes notice) {}

  public Notices(Output client) {
    this.client = client;
  }

  /** One of that server; borrowed. */
  public void take(int server, Message notice) {
    Bytes body = Bytes.of(ByteBufUtil.getBytes(notice.body()));
    if (passed.containsKey(body) || passed.size() < MOST_COMPARED) {
      int times = given.merge(new GivenNotice(server, body), 1, Integer::sum);
      if (times <= passed.getOrDefault(body, 0)) {
        return;
      }
      passed.put(body, times);
    }
    notice.writeTo(client.out());
  }
}
