package io.shardmark.driver.selfcheck;

import com.sun.jna.Function;
import com.sun.jna.Platform;
import java.util.OptionalLong;

/** What getrusage(2) says of this process, and the JDK does not. */
final class ResourceUsage {
  private static final int SELF = 0;
  private static final int WORDS = 18; // of struct rusage, both times of two words each
  private static final int VOLUNTARY = 16;
  private static final int INVOLUNTARY = 17;

  private ResourceUsage() {}

  /** Of all threads, those that have ended included; empty on other platforms. */
  static OptionalLong contextSwitches() {
    if (!Platform.isLinux() || !Platform.is64Bit()) {
      return OptionalLong.empty();
    }
    long[] usage = new long[WORDS];
    int status = Function.getFunction("c", "getrusage").invokeInt(new Object[] {SELF, usage});
    return status == 0
        ? OptionalLong.of(usage[VOLUNTARY] + usage[INVOLUNTARY])
        : OptionalLong.empty();
  }
}
