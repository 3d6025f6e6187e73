package io.shardmark.proxy.faults;

/** What goes wrong. */
enum Fault {
  KILL_PROXY,
  /** The same, and two proxies start in its place at once. */
  KILL_PROXY_TWO_RECOVER,
  /** SIGKILL to the server of the shard that prepares. */
  KILL_PARTICIPANT,
  /** SIGKILL to the server of the shard that decides. */
  KILL_ANCHOR,
  CUT_PARTICIPANT,
  CUT_ANCHOR
}
