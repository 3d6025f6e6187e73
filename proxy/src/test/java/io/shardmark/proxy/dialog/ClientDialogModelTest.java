package io.shardmark.proxy.dialog;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.dialog.ClientDialogWorld.Fault;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Walks through every order of a client's messages, a server's answers and errors of either side,
 * up to a depth, and at random beyond it: a client gets as many ReadyForQuery as it has sent Sync
 * and Query messages that PostgreSQL does not skip.
 */
final class ClientDialogModelTest {
  private static final int DEPTH = Integer.getInteger("depth", 6);
  private static final int WALKS = Integer.getInteger("walks", 20_000);
  private static final int WALK_LENGTH = 30;

  private static ClientDialogWorld at(List<String> events, Fault fault) {
    ClientDialogWorld world = new ClientDialogWorld(fault);
    events.forEach(world::apply);
    return world;
  }

  /** The first fault, with the events that lead to it; "" if there is none. */
  private static String explore(Fault fault, int depth) {
    Set<String> seen = new HashSet<>();
    Deque<List<String>> open = new ArrayDeque<>(List.of(List.of()));
    int steps = 0;
    while (!open.isEmpty()) {
      List<String> events = open.poll();
      for (String event : at(events, fault).events()) {
        List<String> more = new ArrayList<>(events);
        more.add(event);
        ClientDialogWorld world = at(more, fault);
        steps++;
        if (!world.fault().isEmpty()) {
          return world.fault() + " after " + more;
        }
        if (seen.add(world.key()) && more.size() < depth) {
          open.add(more);
        }
      }
    }
    System.out.println(seen.size() + " states in " + steps + " steps to depth " + depth);
    return "";
  }

  @Test
  void everySequenceIsAnswered() {
    assertThat(explore(Fault.NONE, DEPTH)).isEmpty();
  }

  @Test
  void aLostSyncIsFound() {
    assertThat(explore(Fault.LOST_SYNC, DEPTH)).contains("SYNC refused");
  }

  @Test
  void randomWalksAreAnswered() {
    for (long seed = 1; seed <= WALKS; seed++) {
      Random random = new Random(seed);
      ClientDialogWorld world = new ClientDialogWorld(Fault.NONE);
      List<String> walk = new ArrayList<>();
      for (int i = 0; i < WALK_LENGTH; i++) {
        List<String> events = world.events();
        String event = events.get(random.nextInt(events.size()));
        walk.add(event);
        world.apply(event);
        if (!world.fault().isEmpty()) {
          throw new AssertionError("seed " + seed + ": " + world.fault() + " after " + walk);
        }
      }
    }
  }
}
