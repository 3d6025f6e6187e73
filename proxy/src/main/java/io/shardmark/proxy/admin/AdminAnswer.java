package io.shardmark.proxy.admin;

import io.shardmark.proxy.protocol.SqlState;

/** What a command answers. */
public sealed interface AdminAnswer {
  /** Rows; the command tag is SHOW. */
  record AdminRows(TextTable table) implements AdminAnswer {}

  /**
   * Done.
   *
   * @param tag command tag, such as RELOAD
   * @param notice one line for the user, or ""
   */
  record Done(String tag, String notice) implements AdminAnswer {}

  /**
   * Not done.
   *
   * @param sqlState 42601 for a command that does not exist, 55000 for one that failed
   */
  record Failed(SqlState sqlState, String message, String hint) implements AdminAnswer {}
}
