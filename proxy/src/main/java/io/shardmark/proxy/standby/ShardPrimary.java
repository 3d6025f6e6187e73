package io.shardmark.proxy.standby;

import io.shardmark.config.ConfigException;
import io.shardmark.proxy.shards.ShardHosts.HostPlace;
import io.shardmark.proxy.standby.HostReport.ServerRole;
import io.shardmark.proxy.standby.HostReport.Silent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the hosts of one shard, and which of them is used as its primary. A value; pure.
 *
 * <p>What always holds: the host in use has said that it is a primary, on the newest timeline that
 * any host of this cluster has shown here or that another proxy has seen of it, and it is the only
 * one that was found so.
 *
 * @param shard name in the configuration
 * @param hosts in the order of the configuration
 * @param system identifier of the first primary that was used; empty before
 * @param timelines the newest seen anywhere of each cluster, by its system identifier: those of
 *     different clusters do not compare
 */
public record ShardPrimary(
    String shard,
    List<Host> hosts,
    Optional<Long> system,
    Map<Long, Integer> timelines,
    Search search) {
  public ShardPrimary {
    hosts = List.copyOf(hosts);
    timelines = Map.copyOf(timelines);
  }

  /**
   * A host and the last that it said.
   *
   * @param name as the configuration has it
   * @param askedNanos when it was asked for that
   */
  public record Host(String name, HostReport report, long askedNanos) {}

  /** How far the search for the primary is. */
  public sealed interface Search {
    /** The primary used last. */
    Used last();

    /**
     * None is known: nothing is sent to the shard. What is open on the one before goes on until it
     * is known that it is not the primary any more.
     */
    record Lost(Used last) implements Search {}

    /**
     * One seems to be, but what the others say is older than that: they are asked again, or one
     * that was promoted meanwhile would be overlooked.
     *
     * @param sinceNanos reports of what was asked later count
     */
    record Candidate(int host, Used last, long sinceNanos) implements Search {}

    /** That one is used. */
    record Serving(Used last) implements Search {}
  }

  /**
   * A primary that is or was used.
   *
   * @param host that connections may still be open to, or {@link #NONE}
   * @param timeline 0 before any
   */
  public record Used(int host, int timeline) {}

  /** Instead of a host's index. */
  public static final int NONE = -1;

  /** Replaces the report of a host before the first. */
  private static final Silent NOT_ASKED = new Silent("not asked yet");

  /** What the shell has to do, in this order. */
  public sealed interface PrimaryEffect {
    /** Asks all hosts at once. */
    record AskAll() implements PrimaryEffect {}

    /** Opens no connection to the shard. */
    record Stop() implements PrimaryEffect {}

    /** Ends all connections to the host used before: it is not the primary any more. */
    record Cut() implements PrimaryEffect {}

    /** Opens connections to where that host answered, and lets other proxies know its timeline. */
    record UseHost(int host, HostPlace place, int timeline) implements PrimaryEffect {}
  }

  /** The value after an event, and what has to be done. */
  public record PrimaryChange(ShardPrimary next, List<PrimaryEffect> effects) {
    public PrimaryChange {
      effects = List.copyOf(effects);
    }
  }

  /** Before any host has been asked. */
  public static ShardPrimary unknown(String shard, List<String> hosts) {
    List<Host> all = hosts.stream().map(name -> new Host(name, NOT_ASKED, 0)).toList();
    return new ShardPrimary(
        shard, all, Optional.empty(), Map.of(), new Search.Lost(new Used(NONE, 0)));
  }

  // ---- events

  /**
   * A host has been asked.
   *
   * @param askedNanos when the question was sent, on the clock of {@code nowNanos}
   */
  public PrimaryChange heard(int host, HostReport report, long askedNanos, long nowNanos) {
    List<Host> now = new ArrayList<>(hosts);
    now.set(host, new Host(hosts.get(host).name(), report, askedNanos));
    return new ShardPrimary(shard, now, system, timelines, search).seesHosts().settle(nowNanos);
  }

  /** Another proxy has seen a timeline of a cluster that was this shard then. */
  public PrimaryChange seenElsewhere(long cluster, int timeline, long nowNanos) {
    return sees(cluster, timeline).settle(nowNanos);
  }

  /** Whether that is no news. */
  public boolean hasSeen(long cluster, int timeline) {
    return timelines.getOrDefault(cluster, 0) >= timeline;
  }

  /**
   * The same shard with other hosts, of which those that stay are known.
   *
   * @throws ConfigException with one line if the host is not among them that connections are open
   *     to: it could not be seen any more that it is not the primary
   */
  public ShardPrimary withHosts(List<String> names) {
    Used last = search.last();
    int host = last.host() == NONE ? NONE : names.indexOf(hosts.get(last.host()).name());
    if (last.host() != NONE && host == NONE) {
      throw new ConfigException(
          "shards: hosts of shard %s do not name %s, its primary; nothing was taken over"
              .formatted(shard, hosts.get(last.host()).name()));
    }
    Used moved = new Used(host, last.timeline());
    return new ShardPrimary(
        shard,
        names.stream().map(this::host).toList(),
        system,
        timelines,
        search instanceof Search.Serving ? new Search.Serving(moved) : new Search.Lost(moved));
  }

  private Host host(String name) {
    return hosts.stream()
        .filter(known -> known.name().equals(name))
        .findFirst()
        .orElse(new Host(name, NOT_ASKED, 0));
  }

  // ---- rules

  private ShardPrimary sees(long cluster, int timeline) {
    Map<Long, Integer> more = new HashMap<>(timelines);
    more.merge(cluster, timeline, Math::max);
    return new ShardPrimary(shard, hosts, system, more, search);
  }

  private ShardPrimary seesHosts() {
    ShardPrimary now = this;
    for (int host = 0; host < hosts.size(); host++) {
      if (isOfThisShard(host)) {
        HostReport.HostAnswer answer = answer(host).orElseThrow();
        now = now.sees(answer.system(), answer.timeline());
      }
    }
    return now;
  }

  /** That of the primary in use or used last; before any, that of the hosts if they agree. */
  Optional<Long> cluster() {
    return system.or(
        () ->
            IntStream.range(0, hosts.size())
                .filter(this::isOfThisShard)
                .mapToObj(host -> answer(host).orElseThrow().system())
                .findFirst());
  }

  /** The newest timeline of this shard's cluster seen anywhere; 0 before any. */
  public int newest() {
    return cluster().map(timelines::get).orElse(0);
  }

  /** Where a host is that answers. */
  Optional<HostPlace> place(int host) {
    return host == NONE ? Optional.empty() : answer(host).map(HostReport.HostAnswer::place);
  }

  private Optional<HostReport.HostAnswer> answer(int host) {
    return hosts.get(host).report() instanceof HostReport.HostAnswer answer
        ? Optional.of(answer)
        : Optional.empty();
  }

  boolean isOfThisShard(int host) {
    return answer(host).isPresent() && whyForeign(host).isEmpty();
  }

  /** Why what a host says does not count, "" if it does. */
  private String whyForeign(int host) {
    HostReport.HostAnswer answer = answer(host).orElse(null);
    if (answer == null) {
      return "";
    }
    if (answer.shard().isPresent() && !answer.shard().get().equals(shard)) {
      return "host %s of shard %s is a server of shard %s"
          .formatted(hosts.get(host).name(), shard, answer.shard().get());
    }
    for (int other = 0; other < hosts.size(); other++) {
      HostReport.HostAnswer theirs = answer(other).orElse(null);
      if (system.isPresent() ? answer.system() != system.get() : differs(answer, theirs)) {
        return "hosts %s of shard %s are of different clusters: their system identifiers are %s"
            .formatted(names(), shard, systems());
      }
    }
    return "";
  }

  private static boolean differs(HostReport.HostAnswer one, HostReport.@Nullable HostAnswer other) {
    return other != null && one.system() != other.system();
  }

  private String names() {
    return String.join(", ", hosts.stream().map(Host::name).toList());
  }

  private String systems() {
    return String.join(
        ", ",
        IntStream.range(0, hosts.size())
            .mapToObj(host -> answer(host).map(a -> Long.toUnsignedString(a.system())).orElse("?"))
            .toList());
  }

  /** Primaries on the newest timeline. */
  private List<Integer> primaries() {
    return IntStream.range(0, hosts.size())
        .filter(this::isOfThisShard)
        .filter(host -> isNewestPrimary(answer(host).orElseThrow()))
        .boxed()
        .toList();
  }

  private boolean isNewestPrimary(HostReport.HostAnswer answer) {
    return answer.role() == ServerRole.PRIMARY && answer.timeline() == newest();
  }

  private PrimaryChange settle(long nowNanos) {
    List<Integer> primaries = primaries();
    Used last = search.last();
    if (primary() != NONE && primaries.contains(primary()) && newest() == last.timeline()) {
      return new PrimaryChange(this, List.of());
    }
    List<PrimaryEffect> effects = new ArrayList<>();
    if (primary() != NONE) {
      effects.add(new PrimaryEffect.Stop());
    }
    if (last.host() != NONE && isDeposed(last)) {
      effects.add(new PrimaryEffect.Cut());
      last = new Used(NONE, last.timeline());
    }
    if (primaries.size() != 1) {
      return new PrimaryChange(with(new Search.Lost(last)), effects);
    }
    int primary = primaries.get(0);
    if (search instanceof Search.Candidate candidate && candidate.host() == primary) {
      return isConfirmed(candidate)
          ? use(primary, last, effects)
          : new PrimaryChange(
              with(new Search.Candidate(primary, last, candidate.sinceNanos())), effects);
    }
    if (hosts.size() == 1) {
      return use(primary, last, effects);
    }
    effects.add(new PrimaryEffect.AskAll());
    return new PrimaryChange(with(new Search.Candidate(primary, last, nowNanos)), effects);
  }

  private ShardPrimary with(Search now) {
    return new ShardPrimary(shard, hosts, system, timelines, now);
  }

  /** Whether it is certainly not the primary any more, not only out of reach. */
  private boolean isDeposed(Used used) {
    return newest() > used.timeline()
        || answer(used.host()).map(answer -> !isNewestPrimary(answer)).orElse(false);
  }

  /**
   * Whether every other host has been asked since. Where the candidate's timeline is newer than
   * that of the primary before, one that does not answer is not waited for: a primary that comes
   * back shows an older one.
   */
  private boolean isConfirmed(Search.Candidate candidate) {
    int before = candidate.last().timeline();
    boolean newer = before != 0 && newest() > before;
    return IntStream.range(0, hosts.size())
        .filter(host -> host != candidate.host())
        .allMatch(
            host ->
                hosts.get(host).askedNanos() - candidate.sinceNanos() >= 0
                    || (newer && answer(host).isEmpty()));
  }

  private PrimaryChange use(int host, Used last, List<PrimaryEffect> before) {
    List<PrimaryEffect> effects = new ArrayList<>(before);
    if (last.host() != NONE && last.host() != host) {
      effects.add(new PrimaryEffect.Cut());
    }
    HostReport.HostAnswer answer = answer(host).orElseThrow();
    effects.add(new PrimaryEffect.UseHost(host, answer.place(), newest()));
    long identifier = system.orElse(answer.system());
    return new PrimaryChange(
        new ShardPrimary(
            shard,
            hosts,
            Optional.of(identifier),
            timelines,
            new Search.Serving(new Used(host, newest()))),
        effects);
  }

  // ---- what is shown

  /** The host in use, or {@link #NONE}. */
  public int primary() {
    return search instanceof Search.Serving serving ? serving.last().host() : NONE;
  }

  int hostCount() {
    return hosts.size();
  }

  /** When what is known of a host was asked for. */
  long askedNanos(int host) {
    return hosts.get(host).askedNanos();
  }

  /** Where in the write-ahead log a host that answers is. */
  long position(int host) {
    return answer(host).orElseThrow().position();
  }

  /** Whether it is a standby of the newest timeline. */
  boolean follows(int host) {
    return state(host).equals("standby") && answer(host).orElseThrow().timeline() == newest();
  }

  /** Whether every host has been asked. */
  public boolean isSettled() {
    return primary() != NONE
        || (hosts.stream().noneMatch(host -> host.report().equals(NOT_ASKED))
            && !(search instanceof Search.Candidate));
  }

  /** Why there is no primary, one line. */
  public String whyNone() {
    return "shard %s has no primary now: %s"
        .formatted(
            shard,
            String.join("; ", IntStream.range(0, hosts.size()).mapToObj(this::described).toList()));
  }

  /** A host's name and state. */
  private String described(int host) {
    String name = hosts.get(host).name();
    if (hosts.get(host).report() instanceof Silent silent) {
      return name + " does not answer (" + silent.why() + ")";
    }
    return name + " is " + state(host);
  }

  /** What a host is, for tables and messages. */
  public String state(int host) {
    HostReport.HostAnswer answer = answer(host).orElse(null);
    if (answer == null) {
      return "down";
    }
    if (!whyForeign(host).isEmpty()) {
      return "foreign";
    }
    if (answer.role() == ServerRole.STANDBY) {
      return "standby";
    }
    return host == primary() ? "primary" : answer.timeline() < newest() ? "fenced" : "not used";
  }

  /**
   * What a table shows of a host.
   *
   * @param state primary, standby, fenced (a primary on an older timeline), foreign, not used, down
   * @param timeline empty if it is down
   * @param lagBytes of the write-ahead log that the primary in use has written and it has not
   *     replayed; empty if that is not known
   * @param lagMillis how old what a standby shows may be; empty if that is not known
   * @param detail why it is down, that it is read from, or ""
   */
  public record HostView(
      String shard,
      String name,
      String state,
      Optional<Integer> timeline,
      Optional<Long> lagBytes,
      Optional<Long> lagMillis,
      String detail) {}

  /** All hosts in their order. */
  List<HostView> views(StandbyLevels levels, long nowNanos) {
    return IntStream.range(0, hosts.size()).mapToObj(host -> view(host, levels, nowNanos)).toList();
  }

  private HostView view(int host, StandbyLevels levels, long nowNanos) {
    Optional<Long> written =
        primary() == NONE
            ? Optional.empty()
            : answer(primary()).map(HostReport.HostAnswer::position);
    boolean follows = state(host).equals("standby");
    return new HostView(
        shard,
        hosts.get(host).name(),
        state(host),
        answer(host).map(HostReport.HostAnswer::timeline),
        written
            .filter(position -> follows)
            .flatMap(to -> answer(host).map(at -> Math.max(0, to - at.position()))),
        levels.ageNanos(host, nowNanos).map(TimeUnit.NANOSECONDS::toMillis),
        hosts.get(host).report() instanceof Silent silent
            ? silent.why()
            : host == levels.chosen() ? "read from" : "");
  }

  /** What cannot be so, one line each: nothing may be used before it is put right. */
  public List<String> contradictions() {
    List<String> problems = new ArrayList<>();
    IntStream.range(0, hosts.size())
        .mapToObj(this::whyForeign)
        .filter(why -> !why.isEmpty())
        .distinct()
        .forEach(problems::add);
    List<Integer> primaries = primaries();
    if (primaries.size() > 1) {
      problems.add(
          "shard %s has %d primaries on timeline %d: %s; %s"
              .formatted(
                  shard,
                  primaries.size(),
                  newest(),
                  String.join(
                      ", ", primaries.stream().map(host -> hosts.get(host).name()).toList()),
                  primary() == NONE
                      ? "none is used"
                      : "only " + hosts.get(primary()).name() + " is used"));
    }
    return problems;
  }

  /** What an administrator should put right, one line each. */
  public List<String> problems() {
    List<String> problems = new ArrayList<>(contradictions());
    for (int host = 0; host < hosts.size(); host++) {
      if (state(host).equals("fenced")) {
        problems.add(
            "host %s of shard %s is a primary on timeline %d, and timeline %d exists: it is not used; make it a standby again"
                .formatted(
                    hosts.get(host).name(),
                    shard,
                    answer(host).orElseThrow().timeline(),
                    newest()));
      }
    }
    return problems;
  }
}
