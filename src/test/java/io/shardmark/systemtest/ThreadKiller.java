package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Throws an OutOfMemoryError in a thread of another JVM, wherever that thread is, through the
 * debugger's interface: a fault that no code can have been written for.
 */
final class ThreadKiller {
  /** What the other JVM must be started with; it prints the port that it took. */
  static final String AGENT =
      "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0";

  private static final Pattern LISTENING = Pattern.compile("dt_socket at address: (\\d+)");

  private ThreadKiller() {}

  /** Waits until the process has a thread of this name and kills it. */
  static void kill(DriverProcess process, String threadName) throws Exception {
    process.awaitOutput("dt_socket at address: ");
    Matcher port = LISTENING.matcher(process.output());
    assertThat(port.find()).isTrue();
    VirtualMachine machine = attach(port.group(1));
    try {
      thread(machine, threadName).stop(anError(machine));
    } finally {
      machine.dispose();
    }
  }

  /**
   * Waits until the process has a thread of this name and stops it where it is, as a file system
   * does that does not answer.
   *
   * @return stays connected until it is closed, which lets the thread go on
   */
  static AutoCloseable suspend(DriverProcess process, String threadName) throws Exception {
    process.awaitOutput("dt_socket at address: ");
    Matcher port = LISTENING.matcher(process.output());
    assertThat(port.find()).isTrue();
    VirtualMachine machine = attach(port.group(1));
    thread(machine, threadName).suspend();
    return () -> {
      try {
        machine.dispose();
      } catch (VMDisconnectedException e) {
        // The process has ended.
      }
    };
  }

  private static VirtualMachine attach(String port) throws Exception {
    AttachingConnector connector =
        Bootstrap.virtualMachineManager().attachingConnectors().stream()
            .filter(known -> known.transport().name().equals("dt_socket"))
            .findFirst()
            .orElseThrow();
    Map<String, Connector.Argument> arguments = connector.defaultArguments();
    Objects.requireNonNull(arguments.get("hostname")).setValue("127.0.0.1");
    Objects.requireNonNull(arguments.get("port")).setValue(port);
    return connector.attach(arguments);
  }

  /** The JVM keeps some of them ready, for when there is no memory to make one. */
  private static ObjectReference anError(VirtualMachine machine) {
    List<ReferenceType> errors = machine.classesByName("java.lang.OutOfMemoryError");
    return errors.get(0).instances(1).get(0);
  }

  private static ThreadReference thread(VirtualMachine machine, String name) {
    return await("thread " + name)
        .atMost(DriverProcess.PATIENCE)
        .until(
            () -> machine.allThreads().stream().filter(one -> one.name().equals(name)).findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }
}
