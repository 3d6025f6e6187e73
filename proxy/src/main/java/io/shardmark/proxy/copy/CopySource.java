package io.shardmark.proxy.copy;

import org.jspecify.annotations.Nullable;

/** Which copy the client's CopyData, CopyDone and CopyFail belong to: one at a time. */
public final class CopySource {
  private @Nullable CopyIn current;

  /** They belong to that copy from now on. */
  public void setCopyIn(CopyIn copy) {
    current = copy;
  }

  /** That copy takes no more; what still comes for it is dropped. */
  public void endCopyIn(CopyIn copy) {
    if (isFor(copy)) {
      current = null;
    }
  }

  /** Whether what the client sends belongs to that copy. */
  public boolean isFor(CopyIn copy) {
    return copy.equals(current);
  }

  /** The copy that it belongs to, or null. */
  public @Nullable CopyIn current() {
    return current;
  }
}
