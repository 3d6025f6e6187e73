package io.shardmark.proxy;

import io.netty.util.ResourceLeakDetector;

/**
 * Netty's detection of buffers that nobody released. Its samples take two stack traces for every
 * 128th buffer, a twentieth of the proxy's processor time; the tests run with all of them, so the
 * serving proxy has none unless {@code -Dio.netty.leakDetection.level} says so.
 */
final class LeakDetection {
  private static final String LEVEL = "io.netty.leakDetection.level";

  private LeakDetection() {}

  static void offUnlessAsked() {
    if (System.getProperty(LEVEL) == null) {
      ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
    }
  }
}
