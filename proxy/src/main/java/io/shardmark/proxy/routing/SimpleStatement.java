package io.shardmark.proxy.routing;

import io.shardmark.proxy.sql.ParameterSource;
import org.jspecify.annotations.Nullable;

/** A statement of the simple protocol with its plan, which may be one for all literals. */
public final class SimpleStatement {
  private final PlannedStatement planned;
  private final ParameterSource literals;
  private final MapPlans.@Nullable PlansByText texts;

  /**
   * @param literals the values of the plan's parameters: the literals of the statement's text
   * @param texts where it is planned by its own text, if the plan is one for all literals
   */
  SimpleStatement(
      PlannedStatement planned, ParameterSource literals, MapPlans.@Nullable PlansByText texts) {
    this.planned = planned;
    this.literals = literals;
    this.texts = texts;
  }

  /** Its text, and what is decided without its literals. */
  public PlannedStatement planned() {
    return planned;
  }

  ParameterSource literals() {
    return literals;
  }

  /** The plan of this very text, which has no parameters. */
  PlannedStatement exact() {
    return texts == null ? planned : texts.exact(planned.sql());
  }
}
