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
  /** The rows are on the target. The source's are what a comparison of the switch needs. */
  SWITCHED,
  /** The rows of the switch are equal. A crash here obliges recovery to remove the source's. */
  CONFIRMED,
  /** The rows of the switch differ, or cannot be compared: the source's stay. */
  KEEPING,
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
              MoveStep.MAKE_TABLES,
              MoveStep.COPY,
              MoveStep.SUBSCRIBE,
              MoveStep.CATCH_UP,
              MoveStep.ANALYZE,
              MoveStep.COMPARE);
      case COMPARED -> List.of(MoveStep.SWITCH);
      case SWITCHED -> List.of(MoveStep.CONFIRM);
      case CONFIRMED ->
          List.of(
              MoveStep.UNSUBSCRIBE, MoveStep.DROP_SLOT, MoveStep.UNPUBLISH, MoveStep.DROP_SOURCE);
      case KEEPING -> List.of(MoveStep.UNSUBSCRIBE, MoveStep.DROP_SLOT, MoveStep.UNPUBLISH);
      // The source first: a slot keeps its log, and the target may be lost for good.
      case UNDOING ->
          List.of(
              MoveStep.DROP_SLOT, MoveStep.UNPUBLISH, MoveStep.UNSUBSCRIBE, MoveStep.DROP_TARGET);
      case DONE, UNDONE -> List.of();
    };
  }

  /** That follows when all steps have succeeded. */
  MoveStage next() {
    return switch (this) {
      case WAITING -> COPYING;
      case COPYING -> COMPARED;
      case COMPARED -> SWITCHED;
      case SWITCHED -> CONFIRMED;
      case CONFIRMED, KEEPING, DONE -> DONE;
      case UNDOING, UNDONE -> UNDONE;
    };
  }

  /** Whether clients read and write on the source, and a move can be given up. */
  boolean canBeUndone() {
    return this == WAITING || this == COPYING || this == COMPARED;
  }

  /** Whether the rows are on the source alone, and nothing brings them to the target any more. */
  boolean isOfSource() {
    return this == UNDOING || this == UNDONE;
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
