package io.shardmark.proxy;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reactions to signals. {@code sun.misc.Signal} is the only door to SIGHUP that the JDK has, and
 * part of its supported module jdk.unsupported; it is reached by reflection since javac's warning
 * about it cannot be switched off for one class.
 */
final class ProcessSignals {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessSignals.class);

  private ProcessSignals() {}

  /**
   * From now on this signal runs that action, on a thread of the JVM's, in place of what it did.
   *
   * @param name without SIG: HUP, TERM, INT
   */
  static void handle(String name, Runnable action) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      InvocationHandler calls =
          (self, method, arguments) -> called(self, method, arguments, action);
      Object proxy =
          Proxy.newProxyInstance(
              ProcessSignals.class.getClassLoader(), new Class<?>[] {handler}, calls);
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
    } catch (ReflectiveOperationException e) {
      LOG.warn("this system cannot handle signal {}: {}", name, String.valueOf(e.getCause()));
    }
  }

  private static Object called(Object self, Method method, Object[] arguments, Runnable action) {
    return switch (method.getName()) {
      case "hashCode" -> System.identityHashCode(self);
      case "equals" -> self == arguments[0];
      case "toString" -> "signal handler";
      default -> {
        action.run();
        yield "";
      }
    };
  }
}
