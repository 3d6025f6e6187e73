package io.shardmark.proxy.growth;

import java.util.List;
import java.util.Locale;

/** How far a move is, as its row on the source shard says. */
enum MoveStage {
  /** Nothing has been made. */
  WAITING,
  /** The rows are on the source. A crash here obliges recovery to go on. */
  COPYING,
  /** The rows are on the source; the target has been found equal and follows. */
  COMPARED,
  /** The rows are on the target. A crash here obliges recovery to remove the source's. */
  SWITCHED,
  /** The rows are on the source. A crash here obliges recovery to remove the target's. */
  UNDOING,
  DONE,
  UNDONE;

  List<MoveStep> steps() {
    return switch (this) {
      case WAITING -> List.of(MoveStep.BEGIN);
      case COPYING ->
          List.of(
              MoveStep.PUBLISH,
              MoveStep.RESERVE_SLOT,
              MoveStep.MAKE_TABLES,
              MoveStep.SUBSCRIBE,
              MoveStep.AWAIT_COPY,
              MoveStep.COMPARE);
      case COMPARED -> List.of(MoveStep.SWITCH);
      case SWITCHED ->
          List.of(
              MoveStep.UNSUBSCRIBE, MoveStep.DROP_SLOT, MoveStep.UNPUBLISH, MoveStep.DROP_SOURCE);
      case UNDOING ->
          List.of(
              MoveStep.UNSUBSCRIBE, MoveStep.DROP_SLOT, MoveStep.UNPUBLISH, MoveStep.DROP_TARGET);
      case DONE, UNDONE -> List.of();
    };
  }

  /** That follows when all steps have succeeded. */
  MoveStage next() {
    return switch (this) {
      case WAITING -> COPYING;
      case COPYING -> COMPARED;
      case COMPARED -> SWITCHED;
      case SWITCHED, DONE -> DONE;
      case UNDOING, UNDONE -> UNDONE;
    };
  }

  /** Whether clients read and write on the source, and a move can be given up. */
  boolean canBeUndone() {
    return this == WAITING || this == COPYING || this == COMPARED;
  }

  boolean isOver() {
    return this == DONE || this == UNDONE;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static MoveStage of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
