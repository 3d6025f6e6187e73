package io.shardmark.proxy.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A coordinator, its participants and what is under way between them, as one value.
 *
 * @param servers what each shard's transaction is
 * @param links whether the coordinator's connection to the shard lives
 * @param requests the statement on its way to the shard, or the answer on its way back (with "<")
 * @param decision the row on the anchor
 * @param answer what the client was told
 * @param faults how many more faults may happen
 */
record CommitWorld(
    CommitPlan plan,
    CommitState state,
    List<Server> servers,
    List<Boolean> links,
    List<String> requests,
    Optional<Boolean> decision,
    Optional<String> answer,
    int faults) {

  /** The answer if recovery is not waited for longer. */
  static final String NOT_SHOWN = "committed, not shown yet";

  enum Server {
    OPEN,
    PREPARED,
    COMMITTED,
    ROLLED_BACK
  }

  static CommitWorld begin(CommitPlan plan, int faults) {
    int shards = plan.writers().size() + plan.readers().size();
    List<Server> servers = new ArrayList<>();
    List<Boolean> links = new ArrayList<>();
    List<String> requests = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      servers.add(Server.OPEN);
      links.add(true);
      requests.add("");
    }
    CommitState first = CommitState.begin(plan);
    Draft draft =
        new Draft(
            new CommitWorld(
                plan, first, servers, links, requests, Optional.empty(), Optional.empty(), faults));
    return draft.take(first, first.sends());
  }

  List<CommitWorld> successors() {
    List<CommitWorld> next = new ArrayList<>();
    for (int shard = 0; shard < servers.size(); shard++) {
      String request = requests.get(shard);
      if (!request.isEmpty()) {
        next.add(request.startsWith("<") ? delivered(shard) : executed(shard));
      }
      if (faults > 0 && links.get(shard)) {
        next.add(linkLost(shard));
        if (!request.isEmpty() && !request.startsWith("<")) {
          next.add(refused(shard));
        }
      }
      // The server goes on with what had reached it before the link broke.
      if (!links.get(shard) && servers.get(shard) == Server.OPEN && request.isEmpty()) {
        next.add(with(shard, Server.ROLLED_BACK));
      }
    }
    state.owed().forEach((shard, asked) -> addRecovered(shard, asked, next));
    if (state.phase() == CommitState.CommitPhase.ASKING) {
      next.add(asked());
      if (faults > 0) {
        next.add(unreachable());
      }
    }
    recoverySteps(next);
    return next;
  }

  /** The server does what the statement says. */
  private CommitWorld executed(int shard) {
    Draft draft = new Draft(this);
    draft.requests.set(shard, "");
    CommitState.Event answer = draft.execute(shard, CommitStatement.valueOf(requests.get(shard)));
    if (links.get(shard)) {
      draft.requests.set(shard, "<" + answer);
    }
    return draft.world();
  }

  /** The server reports an error instead. */
  private CommitWorld refused(int shard) {
    Draft draft = new Draft(this);
    draft.faults--;
    if (servers.get(shard) == Server.OPEN) {
      draft.servers.set(shard, Server.ROLLED_BACK);
    }
    draft.requests.set(shard, "<FAILED");
    return draft.world();
  }

  private CommitWorld delivered(int shard) {
    Draft draft = new Draft(this);
    draft.requests.set(shard, "");
    return draft.take(state.on(CommitState.Event.valueOf(requests.get(shard).substring(1)), shard));
  }

  private CommitWorld linkLost(int shard) {
    Draft draft = new Draft(this);
    draft.faults--;
    draft.links.set(shard, false);
    if (requests.get(shard).startsWith("<")) {
      draft.requests.set(shard, "");
    }
    return draft.take(state.on(CommitState.Event.LOST, shard));
  }

  /** The anchor's insert waits for the COMMIT in flight, so that one has happened or never will. */
  private CommitWorld asked() {
    int anchor = plan.anchor();
    Draft draft = new Draft(this);
    boolean committed = servers.get(anchor) == Server.COMMITTED;
    if (!committed) {
      draft.servers.set(anchor, Server.ROLLED_BACK);
      draft.requests.set(anchor, "");
      draft.decision = Optional.of(decision.orElse(false));
    }
    return draft.take(state.onOutcome(committed ? Outcome.COMMITTED : Outcome.ABORTED));
  }

  /** Recovery commits what the coordinator has no connection for, or is not waited for longer. */
  private void addRecovered(int shard, CommitStatement asked, List<CommitWorld> next) {
    if (asked == CommitStatement.RECOVER) {
      Draft draft = new Draft(this);
      Server server = servers.get(shard);
      assertThat(server).isIn(Server.PREPARED, Server.COMMITTED);
      draft.servers.set(shard, Server.COMMITTED);
      next.add(draft.take(state.on(CommitState.Event.DONE, shard)));
      // Where nothing is lost, and another recovery was first, that is learnt at once.
      if (faults > 0 && (server == Server.PREPARED || !links.get(shard))) {
        Draft late = new Draft(this);
        late.faults--;
        next.add(late.take(state.on(CommitState.Event.FAILED, shard)));
      }
    }
  }

  private CommitWorld unreachable() {
    Draft draft = new Draft(this);
    draft.faults--;
    return draft.take(state.onOutcome(Outcome.UNKNOWN));
  }

  /** Recovery may come at any time for what it finds prepared. */
  private void recoverySteps(List<CommitWorld> next) {
    for (int shard = 0; shard < servers.size(); shard++) {
      if (servers.get(shard) == Server.PREPARED) {
        Draft draft = new Draft(this);
        if (decision.isEmpty()) {
          draft.decision = Optional.of(false);
        } else {
          draft.servers.set(shard, decision.get() ? Server.COMMITTED : Server.ROLLED_BACK);
        }
        next.add(draft.world());
      }
    }
  }

  private CommitWorld with(int shard, Server server) {
    Draft draft = new Draft(this);
    draft.servers.set(shard, server);
    return draft.world();
  }

  /** What holds at every moment. */
  void check() {
    boolean told = answer.filter(text -> text.startsWith("committed")).isPresent();
    for (int writer : plan.writers()) {
      Server server = servers.get(writer);
      if (told) {
        assertThat(server)
            .as("writer %d after COMMIT in %s", writer, this)
            .isNotIn(Server.OPEN, Server.ROLLED_BACK);
      }
    }
    List<Server> written = plan.writers().stream().map(servers::get).toList();
    boolean split =
        written.contains(Server.COMMITTED)
            && (written.contains(Server.ROLLED_BACK) || written.contains(Server.OPEN));
    assertThat(split).as("some committed, some cannot any more: %s", this).isFalse();
  }

  /** What holds when nothing more can happen; returns what the client was told. */
  String checkEnd() {
    assertThat(state.isDone()).as("%s", this).isTrue();
    assertThat(answer).as("%s", this).isPresent();
    assertThat(plan.writers().stream().map(servers::get).distinct().toList())
        .as("%s", this)
        .hasSizeLessThanOrEqualTo(1)
        .doesNotContain(Server.OPEN, Server.PREPARED);
    if (answer.get().equals("failed") && !plan.writers().isEmpty()) {
      assertThat(servers.get(plan.writers().get(0))).as("%s", this).isEqualTo(Server.ROLLED_BACK);
    }
    return answer.get();
  }

  /** A world being changed. */
  private static final class Draft {
    private final CommitWorld from;
    private final List<Server> servers;
    private final List<Boolean> links;
    private final List<String> requests;
    private CommitState state;
    private Optional<Boolean> decision;
    private Optional<String> answer;
    private int faults;

    Draft(CommitWorld world) {
      from = world;
      servers = new ArrayList<>(world.servers);
      links = new ArrayList<>(world.links);
      requests = new ArrayList<>(world.requests);
      state = world.state;
      decision = world.decision;
      answer = world.answer;
      faults = world.faults;
    }

    CommitWorld world() {
      return new CommitWorld(
          from.plan,
          state,
          List.copyOf(servers),
          List.copyOf(links),
          List.copyOf(requests),
          decision,
          answer,
          faults);
    }

    CommitWorld take(CommitState next) {
      return take(next, next.sends(state));
    }

    CommitWorld take(CommitState next, Map<Integer, CommitStatement> sends) {
      state = next;
      sends.forEach((shard, statement) -> send(shard, statement.name()));
      if (next.isDone() && answer.isEmpty()) {
        answer =
            Optional.of(
                switch (next.outcome()) {
                  case COMMITTED -> shown();
                  case ABORTED -> "failed";
                  case UNKNOWN -> "unknown";
                });
      }
      return world();
    }

    /** The client reads what it has written, unless it hears where that cannot be seen yet. */
    private String shown() {
      for (int writer : from.plan.writers()) {
        if (!state.left().contains(writer)) {
          assertThat(servers.get(writer))
              .as("writer %d, %s", writer, state)
              .isEqualTo(Server.COMMITTED);
        }
      }
      return state.left().isEmpty() ? "committed" : NOT_SHOWN;
    }

    /** Which event its answer is. */
    CommitState.Event execute(int shard, CommitStatement request) {
      Server server = servers.get(shard);
      switch (request) {
        case PREPARE -> {
          assertThat(server).isEqualTo(Server.OPEN);
          return to(shard, Server.PREPARED);
        }
        case COMMIT -> {
          return to(shard, Server.COMMITTED);
        }
        case ROLLBACK -> {
          return server == Server.OPEN ? to(shard, Server.ROLLED_BACK) : CommitState.Event.DONE;
        }
        case DECIDE -> {
          if (decision.isPresent()) {
            servers.set(shard, Server.ROLLED_BACK);
            return CommitState.Event.DECISION_TAKEN;
          }
          decision = Optional.of(true);
          return to(shard, Server.COMMITTED);
        }
        case COMMIT_PREPARED -> {
          return server == Server.PREPARED ? to(shard, Server.COMMITTED) : CommitState.Event.FAILED;
        }
        case RECOVER -> {}
        case ROLLBACK_PREPARED -> {
          return server == Server.PREPARED
              ? to(shard, Server.ROLLED_BACK)
              : CommitState.Event.FAILED;
        }
      }
      throw new IllegalStateException("not over a session's connection: " + request);
    }

    private CommitState.Event to(int shard, Server server) {
      servers.set(shard, server);
      return CommitState.Event.DONE;
    }

    private void send(int shard, String request) {
      if ((request.startsWith("COMMIT") || request.equals("RECOVER"))
          && from.plan.last().contains(shard)) {
        assertRowsAreSeen(shard);
      }
      if (request.equals("RECOVER")) {
        return;
      }
      assertThat(links.get(shard)).as("link %d for %s in %s", shard, request, state).isTrue();
      assertThat(requests.get(shard)).as("shard %d, %s in %s", shard, request, state).isEmpty();
      requests.set(shard, request);
      if (request.equals("DECIDE")) {
        assertThat(from.plan.lastReaders().indexes()).allMatch(links::get);
      }
    }

    /** Whoever waits for that shard finds the rows of all others, as the client would. */
    private void assertRowsAreSeen(int released) {
      for (int writer : from.plan.writers()) {
        boolean before =
            !from.plan.last().contains(writer) || !from.plan.writers().contains(released);
        boolean decided = state.failure().isEmpty() && from.plan.isTwoPhase();
        if (before && (decided || links.get(writer)) && !state.left().contains(writer)) {
          assertThat(servers.get(writer))
              .as("writer %d when %d goes on in %s", writer, released, state)
              .isIn(Server.COMMITTED, Server.ROLLED_BACK);
        }
      }
    }
  }
}
