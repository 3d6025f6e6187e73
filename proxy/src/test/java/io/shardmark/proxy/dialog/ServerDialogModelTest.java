package io.shardmark.proxy.dialog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.proxy.dialog.DialogWorld.Choice;
import io.shardmark.proxy.dialog.DialogWorld.Event;
import io.shardmark.proxy.dialog.DialogWorld.Fault;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Every order of events up to a number of messages, and long random ones. */
final class ServerDialogModelTest {
  /** How many messages are sent at most; {@code -Dshardmark.dialog.messages} for more. */
  private static final int MESSAGES = Integer.getInteger("shardmark.dialog.messages", 3);

  /** Events of the random walks; {@code -Dshardmark.dialog.walk} for more. */
  private static final int WALK = Integer.getInteger("shardmark.dialog.walk", 100_000);

  private record Path(DialogWorld world, List<Choice> events, int messages) {
    Path then(Choice next) {
      List<Choice> more = new ArrayList<>(events);
      more.add(next);
      DialogWorld after = world.copy();
      try {
        after.apply(next);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(e.getMessage() + " after " + more, e);
      }
      return new Path(after, more, next.event() == Event.SEND ? messages + 1 : messages);
    }

    void end() {
      try {
        world.copy().lose();
        world.copy().finish();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(e.getMessage() + " after " + events, e);
      }
    }
  }

  /** The states that can be reached with so many messages; each is also lost, and also ended. */
  private static int explore(Fault fault, int messages) {
    Deque<Path> open = new ArrayDeque<>();
    Set<String> seen = new HashSet<>();
    open.add(new Path(new DialogWorld(fault), List.of(), 0));
    while (!open.isEmpty()) {
      Path path = open.remove();
      for (Choice choice : path.world.choices()) {
        if (choice.event() == Event.SEND && path.messages == messages) {
          continue;
        }
        Path next = path.then(choice);
        if (seen.add(next.messages + next.world.key())) {
          next.end();
          open.add(next);
        }
      }
    }
    return seen.size();
  }

  @Test
  void attributesEveryAnswerInEveryOrderOfEvents() {
    int states = explore(Fault.NONE, MESSAGES);
    System.out.println("states with up to " + MESSAGES + " messages: " + states);
    assertThat(states).isGreaterThan(10_000);
  }

  @Test
  void attributesEveryAnswerInRandomWalks() {
    long seed = Long.getLong("shardmark.dialog.seed", new Random().nextLong());
    System.out.println("-Dshardmark.dialog.seed=" + seed);
    Random random = new Random(seed);
    List<Choice> events = new ArrayList<>();
    DialogWorld world = new DialogWorld(Fault.NONE);
    for (int i = 0; i < WALK; i++) {
      List<Choice> choices = world.choices();
      if (choices.isEmpty() || (events.size() > 200 && random.nextInt(50) == 0)) {
        new Path(world, events, 0).end();
        world = new DialogWorld(Fault.NONE);
        events.clear();
        continue;
      }
      Choice next = choices.get(random.nextInt(choices.size()));
      events.add(next);
      try {
        world.apply(next);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(e.getMessage() + " after " + events, e);
      }
    }
  }

  @Test
  void findsALostSync() {
    assertThatThrownBy(() -> explore(Fault.LOST_SYNC, 2))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("an answer that never comes");
  }
}
