package io.shardmark.config;

import com.sun.jna.Function;
import com.sun.jna.LastErrorException;
import com.sun.jna.NativeLong;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;

/** Binds threads of this process to processors, on Linux. Any thread. */
public final class ThreadBinding {
  private static final Path THREADS = Path.of("/proc/self/task");
  private static final int CALLING_THREAD = 0;
  private static final int NO_SUCH_THREAD = 3; // ESRCH

  private ThreadBinding() {}

  /**
   * Binds all threads to the processors that are left, so that new threads and processes start
   * there too. Before the first thread that {@link #bound} binds.
   *
   * @throws ConfigException if the operating system does not let it
   */
  public static void begin(Processors processors) {
    if (processors.areAny()) {
      return;
    }
    List<Integer> others = processors.others();
    long process = ProcessHandle.current().pid();
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
      for (Path thread : threads) {
        int number = Integer.parseInt(String.valueOf(thread.getFileName()));
        if (number != process) { // which only waits, and shows what the process was given
          int error = bind(number, others);
          if (error != 0 && error != NO_SUCH_THREAD) {
            throw failed(error);
          }
        }
      }
    } catch (IOException | LinkageError e) {
      throw new ConfigException("threads cannot be bound to processors: " + FirstLine.of(e));
    }
  }

  /**
   * A task whose thread is bound first.
   *
   * @param index of the thread: threads take the processors in turns
   */
  public static Runnable bound(Processors processors, int index, Runnable task) {
    if (processors.areAny()) {
      return task;
    }
    int processor = processors.numbers().get(index % processors.numbers().size());
    return () -> {
      int error = bind(CALLING_THREAD, List.of(processor));
      if (error != 0) {
        throw failed(error);
      }
      task.run();
    };
  }

  private static ConfigException failed(int error) {
    return new ConfigException(
        "threads cannot be bound to processors: sched_setaffinity ends with error " + error);
  }

  /**
   * @return 0, or an error number
   */
  private static int bind(int thread, List<Integer> processors) {
    BitSet mask = new BitSet();
    processors.forEach(mask::set);
    return CLibrary.setAffinity(thread, mask.toLongArray());
  }

  /** Loaded where threads are bound, and nowhere else. */
  private static final class CLibrary {
    private CLibrary() {}

    private static int setAffinity(int thread, long[] mask) {
      try {
        NativeLong bytes = new NativeLong((long) mask.length * Long.BYTES);
        return Function.getFunction("c", "sched_setaffinity", Function.THROW_LAST_ERROR)
            .invokeInt(new Object[] {thread, bytes, mask});
      } catch (LastErrorException e) {
        return e.getErrorCode();
      }
    }
  }
}
