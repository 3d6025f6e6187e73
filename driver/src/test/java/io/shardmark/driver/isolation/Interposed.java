package io.shardmark.driver.isolation;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;

/** A connection before whose commit something else is done. */
record Interposed(Connection target, Before before) {
  /** What is done. */
  @FunctionalInterface
  interface Before {
    void run() throws SQLException;
  }

  Connection connection() {
    return (Connection)
        Proxy.newProxyInstance(
            Interposed.class.getClassLoader(), new Class<?>[] {Connection.class}, this::call);
  }

  private Object call(Object proxy, Method method, Object[] arguments) throws Throwable {
    if (method.getName().equals("commit")) {
      before.run();
    }
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
