package io.shardmark.driver.sweep;

import java.util.Set;

/** Names in the directory of a sweep, beside one folder for each database. */
final class Layout {
  /** The plan. */
  static final String PLAN = "sweep.json";

  /** Held by the process that works on the sweep. */
  static final String LOCK = ".sweep.lock";

  /** What the processes said. */
  static final String LOGS = "logs";

  /** Directories of points that failed or were broken off. */
  static final String ASIDE = "aside";

  /** Runs at a share of a maximum. */
  static final String HOLD = "hold";

  /** The comparison; Markdown and JSON stand beside it. */
  static final String COMPARISON = "compare.html";

  /** What a search found. */
  static final String SEARCH_JSON = "search.json";

  static final String SEARCH_MARKDOWN = "search.md";

  /** Names that no database may have. */
  static final Set<String> TAKEN = Set.of(LOGS, ASIDE, HOLD);

  private Layout() {}
}
