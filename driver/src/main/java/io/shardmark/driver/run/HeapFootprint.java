package io.shardmark.driver.run;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/**
 * Keeps the driver small next to the server it measures. The JVM starts with a heap of a
 * sixty-fourth of the machine's memory and fills it before it collects; a run allocates little, so
 * a heap of a few tens of megabytes collects as cheaply. Options of the command line ({@code -Xms},
 * {@code -Xmn}) still hold.
 */
final class HeapFootprint {
  /** Percent of the heap that may stay free after a collection. */
  private static final String MIN_FREE = "20";

  private static final String MAX_FREE = "40";

  private HeapFootprint() {}

  /**
   * Gives back what the start took, and lets the heap grow from there only as far as the run needs
   * it. Takes some tens of milliseconds.
   */
  static void shrink() {
    HotSpotDiagnosticMXBean machine =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    if (machine == null) {
      return; // another JVM than HotSpot
    }
    try {
      machine.setVMOption("MinHeapFreeRatio", MIN_FREE);
      machine.setVMOption("MaxHeapFreeRatio", MAX_FREE);
    } catch (IllegalArgumentException e) {
      return; // a collector that sizes its heap in another way
    }
    System.gc();
  }
}
