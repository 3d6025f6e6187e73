package io.shardmark.proxy.growth;

import io.shardmark.proxy.growth.AdditionStage.AdditionStep;

/**
 * A shard that is being added, as one proxy does it. Immutable; the methods are the events. A proxy
 * that goes on with what another has begun begins with the first step of the stage that is written.
 *
 * @param done steps of the stage that have succeeded
 * @param failures of the current step, one after the other
 * @param note why the shard is not added, or what is waited for, or ""
 */
record AdditionState(AdditionStage stage, int done, int failures, String note) {
  /** The addition as its row says. */
  static AdditionState written(AdditionStage stage, String note) {
    return new AdditionState(stage, 0, 0, note);
  }

  /** The row says this before each step; somebody may have cancelled the addition. */
  AdditionState read(AdditionStage now, String why) {
    return now == stage ? this : written(now, why);
  }

  /** What is to be done now; not if the addition is over. */
  AdditionStep step() {
    return stage.steps().get(done);
  }

  AdditionState succeeded() {
    String kept = stage == AdditionStage.UNDOING ? note : "";
    return done + 1 < stage.steps().size()
        ? new AdditionState(stage, done + 1, 0, kept)
        : written(stage.next(), kept);
  }

  /** The step has failed; it may succeed next time. */
  AdditionState failed(String why) {
    return failures + 1 < MoveState.MOST_FAILURES
        ? new AdditionState(stage, done, failures + 1, noteOf(why))
        : refused(why);
  }

  AdditionState failed(StepFailure failure, String why) {
    return switch (failure) {
      case MAY_PASS -> failed(why);
      case DISK_FULL -> refused("a disk is full: " + why);
      case LASTS -> refused(why);
    };
  }

  /** The step cannot succeed. */
  AdditionState refused(String why) {
    return stage.canBeUndone()
        ? written(AdditionStage.UNDOING, why)
        : new AdditionState(stage, done, MoveState.MOST_FAILURES, noteOf(why));
  }

  /** Of one that is undone the reason stays. */
  private String noteOf(String why) {
    return stage == AdditionStage.UNDOING ? note : why;
  }

  /** How many pauses before the next try of a step that has failed. */
  int pauses() {
    return Math.min(failures, MoveState.LONGEST_PAUSE);
  }
}
