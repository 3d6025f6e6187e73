package io.shardmark.driver.benchmark;

/**
 * The state of one emulated user: where it sits and its random stream. Used by one thread at a
 * time; holds neither thread nor connection.
 */
@FunctionalInterface
public interface Terminal {
  /** Draws the type and the input of this terminal's next transaction. */
  Transaction next();

  /**
   * Asked after each transaction: false ends the terminal before the run's own end. If true, {@link
   * #next} follows and what it draws is executed.
   */
  default boolean goesOn() {
    return true;
  }
}
