package io.shardmark.proxy.copy;

/** The client's CopyData, CopyDone and CopyFail, which belong to one copy at a time. */
public interface CopySource {
  /** They belong to that copy from now on. */
  void setCopyIn(CopyIn copy);

  /** That copy takes no more; what still comes for it is dropped. */
  void endCopyIn(CopyIn copy);

  /** Whether what the client sends belongs to that copy. */
  boolean isFor(CopyIn copy);
}
