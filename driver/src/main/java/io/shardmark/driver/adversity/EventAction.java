package io.shardmark.driver.adversity;

/** What an event does. Run once, by a thread of the event. */
interface EventAction {
  /**
   * Does it, and returns when it is done.
   *
   * @return what there is to say of it; empty if it went well
   * @throws Exception if it failed
   */
  String run() throws Exception;

  /**
   * The run is over: what runs is to end soon, and to leave the system as it was. By another
   * thread, perhaps before or after it runs.
   */
  void cancel();

  /** It was cancelled, and there is no time left to wait for it. */
  default void abandon() {}
}
