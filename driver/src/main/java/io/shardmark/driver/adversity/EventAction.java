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

  /** The run is over: what runs ends soon. By another thread, perhaps before or after it runs. */
  void cancel();
}
