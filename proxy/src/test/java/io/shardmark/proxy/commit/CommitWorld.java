package io.shardmark.proxy.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
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
    CommitState.Step step = CommitState.begin(plan);
    Draft draft =
        new Draft(
            new CommitWorld(
                plan,
                step.next(),
                servers,
                links,
                requests,
                Optional.empty(),
                Optional.empty(),
                faults));
    return draft.take(step);
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
    if (state instanceof Undecided) {
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
    String answer = draft.execute(shard, requests.get(shard));
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
    draft.requests.set(shard, "<error");
    return draft.world();
  }

  private CommitWorld delivered(int shard) {
    Draft draft = new Draft(this);
    draft.requests.set(shard, "");
    CommitState.Step step =
        switch (requests.get(shard).substring(1)) {
          case "prepared" -> state.onPrepared(shard);
          case "committed" -> state.onCommitted(shard);
          case "committed prepared" -> state.onCommittedPrepared(shard);
          case "rolled back" -> state.onRolledBack(shard);
          case "taken" -> state.onDecisionTaken();
          default -> state.onFailed(shard);
        };
    return draft.take(step);
  }

  private CommitWorld linkLost(int shard) {
    Draft draft = new Draft(this);
    draft.faults--;
    draft.links.set(shard, false);
    if (requests.get(shard).startsWith("<")) {
      draft.requests.set(shard, "");
    }
    return draft.take(state.onConnectionLost(shard));
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
    boolean told = answer.filter("committed"::equals).isPresent();
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
    assertThat(state).as("%s", this).isInstanceOf(CommitState.Done.class);
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
  private static final class Draft implements CommitActions {
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

    CommitWorld take(CommitState.Step step) {
      state = step.next();
      step.effects().forEach(effect -> effect.perform(this));
      return world();
    }

    String execute(int shard, String request) {
      Server server = servers.get(shard);
      switch (request) {
        case "prepare" -> {
          assertThat(server).isEqualTo(Server.OPEN);
          return to(shard, Server.PREPARED, "prepared");
        }
        case "commit" -> {
          return to(shard, Server.COMMITTED, "committed");
        }
        case "rollback" -> {
          return server == Server.OPEN
              ? to(shard, Server.ROLLED_BACK, "rolled back")
              : "rolled back";
        }
        case "decide" -> {
          if (decision.isPresent()) {
            return to(shard, Server.ROLLED_BACK, "taken");
          }
          decision = Optional.of(true);
          return to(shard, Server.COMMITTED, "committed");
        }
        case "commit prepared" -> {
          return server == Server.PREPARED
              ? to(shard, Server.COMMITTED, "committed prepared")
              : "error";
        }
        default -> {
          return server == Server.PREPARED ? to(shard, Server.ROLLED_BACK, "rolled back") : "error";
        }
      }
    }

    private String to(int shard, Server server, String result) {
      servers.set(shard, server);
      return result;
    }

    private void send(int shard, String request) {
      assertThat(links.get(shard)).as("link %d for %s in %s", shard, request, state).isTrue();
      assertThat(requests.get(shard)).as("shard %d, %s in %s", shard, request, state).isEmpty();
      requests.set(shard, request);
    }

    @Override
    public void prepare(int shard) {
      send(shard, "prepare");
    }

    @Override
    public void commit(int shard) {
      send(shard, "commit");
    }

    @Override
    public void rollback(int shard) {
      send(shard, "rollback");
    }

    @Override
    public void decide(int anchor) {
      send(anchor, "decide");
    }

    @Override
    public void commitPrepared(int shard) {
      send(shard, "commit prepared");
    }

    @Override
    public void rollbackPrepared(int shard) {
      send(shard, "rollback prepared");
    }

    @Override
    public void askAnchor(int anchor) {
      assertThat(anchor).isEqualTo(from.plan.anchor());
    }

    @Override
    public void answerCommitted() {
      tell("committed");
    }

    @Override
    public void answerFailed(CommitFailure failure) {
      tell("failed");
    }

    @Override
    public void answerUnknown() {
      tell("unknown");
    }

    private void tell(String what) {
      assertThat(answer).as("answers").isEmpty();
      answer = Optional.of(what);
    }

    @Override
    public void recover() {
      assertThat(answer).as("answer before recovery").isPresent();
    }
  }
}
