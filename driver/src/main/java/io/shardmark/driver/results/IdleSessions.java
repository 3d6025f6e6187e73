package io.shardmark.driver.results;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Sessions that were logged in during the run and hardly used, and what they did to it.
 *
 * @param asked key {@code idleSessions}
 * @param opened how many were open at once
 * @param lost how many of them ended that should not have
 * @param firstLoss which was the first, and why; null if none was lost
 * @param processes that held them
 * @param sources addresses of this machine that they came from; 0 if the system chose
 * @param openSeconds from the first connect to the last login; 0 if they were never all open
 * @param endpoints where they were logged in
 * @param questions what those that are used asked
 * @param phases of the run: {@code before}, {@code opening}, {@code settling}, {@code held}, {@code
 *     closing}, {@code after}
 */
public record IdleSessions(
    int asked,
    int opened,
    int lost,
    @JsonSetter(nulls = Nulls.SET) @Nullable String firstLoss,
    int processes,
    int sources,
    double openSeconds,
    List<Endpoint> endpoints,
    Questions questions,
    List<IdlePhase> phases) {
  /** The phase without idle sessions. */
  public static final String BEFORE = "before";

  /** The phase with all of them. */
  public static final String HELD = "held";

  /** How many there are while the run goes on. */
  public record SessionCount(int asked, int open, int lost) {}

  public IdleSessions {
    endpoints = List.copyOf(endpoints);
    questions = Objects.requireNonNullElse(questions, Questions.NONE);
    phases = List.copyOf(phases);
  }

  /**
   * Where sessions were logged in. Memory is what the process that listens there has resident, with
   * what its child processes have for themselves; null if it is not on this machine.
   *
   * @param sessions that were logged in there
   * @param bytesBefore before the first was opened
   * @param bytesOpened when all were open
   * @param bytesAtEnd before the first was closed
   */
  public record Endpoint(
      String address,
      int sessions,
      @Nullable Long bytesBefore,
      @Nullable Long bytesOpened,
      @Nullable Long bytesAtEnd) {}

  /**
   * Each hundredth session asks for its number once a minute.
   *
   * @param right answers, and nothing else
   * @param wrong answers
   * @param unanswered before the session's next turn, or before it was closed
   * @param latencyMillis of the right ones; null without any
   */
  public record Questions(
      long right, long wrong, long unanswered, @Nullable Latency latencyMillis) {
    static final Questions NONE = new Questions(0, 0, 0, null);
  }

  /**
   * A part of the run. A transaction belongs to that in which it ended.
   *
   * @param fromSeconds from the start of the measurement interval
   * @param seconds how long it was
   * @param successes committed ones and deliberate rollbacks
   * @param errors failed ones
   * @param latencyMillis from due to done; null if nothing succeeded
   */
  public record IdlePhase(
      String name,
      double fromSeconds,
      double seconds,
      long successes,
      long errors,
      @Nullable Latency latencyMillis) {
    public double perSecond() {
      return seconds == 0 ? 0 : successes / seconds;
    }
  }

  /** How fast they were opened, in sessions a second; 0 if they were never all open. */
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public double openedPerSecond() {
    return openSeconds == 0 ? 0 : opened / openSeconds;
  }

  /**
   * By how much the memory of all endpoints grew from before the first session to the end; null if
   * it is not known of all.
   */
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public @Nullable Long memoryBytes() {
    long sum = 0;
    for (Endpoint endpoint : endpoints) {
      if (endpoint.bytesBefore == null || endpoint.bytesAtEnd == null) {
        return null;
      }
      sum += endpoint.bytesAtEnd - endpoint.bytesBefore;
    }
    return endpoints.isEmpty() ? null : sum;
  }

  /** {@link #memoryBytes} for each session. */
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public @Nullable Double bytesPerSession() {
    Long bytes = memoryBytes();
    return bytes == null || opened == 0 ? null : (double) bytes / opened;
  }

  /** The run's 99th percentile with all sessions held by that before them; null if not known. */
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public @Nullable Double p99HeldToBefore() {
    Latency before = latency(BEFORE);
    Latency held = latency(HELD);
    return before == null || held == null || before.p99() == 0 ? null : held.p99() / before.p99();
  }

  /** What came out, a sentence each. */
  public List<String> sentences() {
    List<String> sentences = new ArrayList<>();
    sentences.add(
        openSeconds == 0
            ? "%d of %d were opened".formatted(opened, asked)
            : "%d were opened in %.1f s, %.0f a second, by %d processes"
                .formatted(opened, openSeconds, openedPerSecond(), processes));
    Long bytes = memoryBytes();
    Double each = bytesPerSession();
    if (bytes != null && each != null) {
      sentences.add(
          "The endpoints took %.0f MB more with them than before, %.1f KB each"
              .formatted(bytes / 1048576.0, each / 1024));
    }
    Latency before = latency(BEFORE);
    Latency held = latency(HELD);
    Double ratio = p99HeldToBefore();
    if (before != null && held != null && ratio != null) {
      sentences.add(
          "p99 of the run was %.3f ms before and %.3f ms with all of them: %+.1f %%"
              .formatted(before.p99(), held.p99(), (ratio - 1) * 100));
    }
    Latency answers = questions.latencyMillis;
    sentences.add(
        "They were used %d times, with %d wrong answers and %d missing%s"
            .formatted(
                questions.right + questions.wrong + questions.unanswered,
                questions.wrong,
                questions.unanswered,
                answers == null
                    ? ""
                    : ": p50 %.3f ms, p99 %.3f ms".formatted(answers.p50(), answers.p99())));
    sentences.add(
        lost == 0 ? "None was lost" : "%d were lost, the first: %s".formatted(lost, firstLoss));
    return sentences;
  }

  private @Nullable Latency latency(String phase) {
    return phases.stream()
        .filter(one -> one.name().equals(phase))
        .map(IdlePhase::latencyMillis)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }
}
