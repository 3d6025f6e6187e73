package io.shardmark.proxy.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.protocol.ErrorFields;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class WaitQueueTest {
  private final WaitQueue queue = new WaitQueue();

  /** One that is only looked at. */
  private record Client(String name, @Nullable Object holder) implements PoolWaiter {
    @Override
    public void granted(ServerConnection server) {
      throw new AssertionError(name);
    }

    @Override
    public boolean suits(ServerConnection server) {
      return true;
    }

    @Override
    public void refused(ErrorFields error) {
      throw new AssertionError(name);
    }
  }

  private final Client plain = new Client("plain", null);
  private final Client later = new Client("later", null);
  private final Client holder = new Client("holder", "session");

  private List<PoolWaiter> inOrder() {
    return Stream.generate(queue::poll)
        .limit(queue.size())
        .<PoolWaiter>map(WaitQueue.WaitingClient::waiter)
        .toList();
  }

  @Test
  void servesHoldersBeforeOthersAndEachInTheirOrder() {
    queue.add(plain, 1);
    queue.add(later, 2);
    queue.add(holder, 3);
    assertThat(queue.size()).isEqualTo(3);
    assertThat(inOrder()).containsExactly(holder, plain, later);
    assertThat(queue.isEmpty()).isTrue();
  }

  @Test
  void saysWhetherAHolderWaits() {
    queue.add(plain, 1);
    assertThat(queue.hasHolder()).isFalse();
    assertThat(queue.first()).isEqualTo(plain);
    queue.add(holder, 2);
    assertThat(queue.hasHolder()).isTrue();
    assertThat(queue.first()).isEqualTo(holder);
    assertThat(queue.poll()).isEqualTo(new WaitQueue.WaitingClient(holder, 2));
    assertThat(inOrder()).containsExactly(plain);
  }

  @Test
  void forgetsWhoGivesUp() {
    queue.add(plain, 1);
    queue.add(holder, 2);
    assertThat(queue.remove(plain)).isTrue();
    assertThat(queue.remove(plain)).isFalse();
    assertThat(inOrder()).containsExactly(holder);
  }

  @Test
  void findsWhoHasWaitedLong() {
    queue.add(plain, 1);
    queue.add(holder, 2);
    queue.add(later, 3);
    assertThat(queue.firstHolder(1)).isNull();
    assertThat(queue.firstHolder(2)).isEqualTo(holder);
    assertThat(queue.pollSince(2))
        .extracting(WaitQueue.WaitingClient::waiter)
        .containsExactly(holder, plain);
    assertThat(inOrder()).containsExactly(later);
  }
}
