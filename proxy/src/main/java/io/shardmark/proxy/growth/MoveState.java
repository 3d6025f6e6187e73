package io.shardmark.proxy.growth;

import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A move as one proxy makes it. Immutable; the methods are the events. A proxy that takes a move
 * over begins with the first step of the stage that is written: each step can be repeated.
 *
 * @param stage as written on the source, or about to be written
 * @param done steps of the stage that have succeeded
 * @param failures of the current step, one after the other
 * @param reason why it is undone, or why rows are kept, or ""
 * @param waits why it does not get on, or ""
 */
record MoveState(MoveStage stage, int done, int failures, String reason, String waits) {
  /** Longer than a server takes to start again, or most transactions take. */
  static final int MOST_FAILURES = 60;

  /** Clients may wait while a step is tried. */
  static final int LONGEST_PAUSE = 16;

  /** Clients wait so long at most for what has begun to end, and for the switch to be made. */
  static final Duration MOMENT = Duration.ofMillis(600);

  private static final int TRIES_PER_MOMENT = 10;

  private static final String WAITS = "waits: ";

  /** The move as its row says. */
  static MoveState written(MoveStage stage, String note) {
    int waits = note.indexOf(WAITS);
    return new MoveState(
        stage, 0, 0, (waits < 0 ? note : note.substring(0, waits)).replaceFirst("; $", ""), "");
  }

  /** What the row says of it. */
  String note() {
    return Stream.of(reason, waits.isEmpty() ? "" : WAITS + waits)
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining("; "));
  }

  /** What is to be done now; not if the move is over. */
  MoveStep step() {
    return stage.steps().get(done);
  }

  MoveState succeeded() {
    return done + 1 < stage.steps().size()
        ? new MoveState(stage, done + 1, 0, reason, "")
        : written(stage.next(), reason);
  }

  /** The step is to be tried again soon, and nothing is wrong. */
  MoveState notYet(String why) {
    return new MoveState(stage, done, 0, reason, why);
  }

  /** The step has failed; it may succeed next time. */
  MoveState failed(String why) {
    return failures + 1 < MOST_FAILURES
        ? new MoveState(stage, done, failures + 1, reason, why)
        : refused(why);
  }

  MoveState failed(StepFailure failure, String why) {
    return switch (failure) {
      case MAY_PASS -> failed(why);
      case DISK_FULL -> refused("a disk is full: " + why);
      case LASTS -> refused(why);
    };
  }

  /**
   * Whether others need not wait until it succeeds: what is left is to clear up, and that may need
   * a server that is lost.
   */
  boolean isPutOff() {
    return failures > 0 && !stage.canBeUndone() && stage != MoveStage.SWITCHED;
  }

  /** How long clients may wait for the step: longer if it has failed often, so that it ends. */
  Duration moment() {
    return MOMENT.multipliedBy(1 + failures / TRIES_PER_MOMENT);
  }

  /** How many pauses before the next try of a step that has failed. */
  int pauses() {
    return Math.min(failures, LONGEST_PAUSE);
  }

  /** The rows of the switch are not known to be equal, so those of the source stay. */
  MoveState keeps(String why) {
    return written(MoveStage.KEEPING, why);
  }

  /** The step cannot succeed. */
  MoveState refused(String why) {
    return stage.canBeUndone()
        ? written(MoveStage.UNDOING, why)
        : new MoveState(stage, done, MOST_FAILURES, reason, why);
  }
}
