package io.shardmark.driver.measure;

/**
 * A second that is over, for those who watch a run; or several of one phase, for one who lags.
 *
 * @param second the last of them, since the start of the measurement interval; negative in the
 *     ramp-up
 * @param seconds how many, at least 1
 * @param phase which they are of
 * @param done in them; the watcher's own
 */
public record LiveSecond(long second, int seconds, LiveFigures.LivePhase phase, Snapshot done) {
  /** One second. */
  public LiveSecond(long second, LiveFigures.LivePhase phase, Snapshot done) {
    this(second, 1, phase, done);
  }

  /** This and a later one of the phase; both are used up. */
  LiveSecond plus(LiveSecond later) {
    done.add(later.done);
    return new LiveSecond(later.second, seconds + later.seconds, phase, done);
  }
}
