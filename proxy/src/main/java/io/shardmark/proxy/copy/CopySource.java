package io.shardmark.proxy.copy;

import org.jspecify.annotations.Nullable;

/**
 * Which copy the client's CopyData, CopyDone and CopyFail belong to: one at a time. While there is
 * one, messages are taken though a step may be under way, which is that copy then.
 */
public final class CopySource {
  private @Nullable CopyIn current;

  /** They belong to that copy from now on. */
  public void setCopyIn(CopyIn copy) {
    current = copy;
  }

  /** That copy takes no more; what still comes for it is dropped. */
  public void endCopyIn(CopyIn copy) {
    if (copy.equals(current)) {
      current = null;
    }
  }

  /** The copy that it belongs to, or null. */
  public @Nullable CopyIn current() {
    return current;
  }
}
