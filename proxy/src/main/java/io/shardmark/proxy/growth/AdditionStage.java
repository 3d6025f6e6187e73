package io.shardmark.proxy.growth;

import java.util.List;
import java.util.Locale;

/** How far a shard is that is being added, as its row on the first shard says. */
enum AdditionStage {
  /** Clients do not use it. A crash here obliges recovery to go on. */
  MAKING,
  /** It has schema and rows as they were some time ago. */
  COPIED,
  /** All proxies use it. A crash here obliges recovery to remove its mark. */
  COUNTS,
  /** Clients do not use it. A crash here obliges recovery to empty it. */
  UNDOING,
  DONE,
  UNDONE;

  /** What is done in a stage, in this order; each can be repeated. */
  enum AdditionStep {
    MAKE_SCHEMA,
    COPY,
    SWITCH,
    UNMARK,
    CLEAN
  }

  List<AdditionStep> steps() {
    return switch (this) {
      case MAKING -> List.of(AdditionStep.MAKE_SCHEMA, AdditionStep.COPY);
      case COPIED -> List.of(AdditionStep.SWITCH);
      case COUNTS -> List.of(AdditionStep.UNMARK);
      case UNDOING -> List.of(AdditionStep.CLEAN);
      case DONE, UNDONE -> List.of();
    };
  }

  /** That follows when all steps have succeeded. */
  AdditionStage next() {
    return switch (this) {
      case MAKING -> COPIED;
      case COPIED -> COUNTS;
      case COUNTS, DONE -> DONE;
      case UNDOING, UNDONE -> UNDONE;
    };
  }

  /** Whether no client uses it, and it can be given up. */
  boolean canBeUndone() {
    return this == MAKING || this == COPIED;
  }

  /** Whether all proxies use it. */
  boolean counts() {
    return this == COUNTS || this == DONE;
  }

  boolean isOver() {
    return this == DONE || this == UNDONE;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static AdditionStage of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
