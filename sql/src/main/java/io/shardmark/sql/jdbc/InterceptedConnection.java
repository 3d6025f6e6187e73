package io.shardmark.sql.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A connection whose calls pass through an {@link Interceptor}, as do those of each statement that
 * is prepared on it. A proxy of the platform, some fifty nanoseconds for each call of JDBC,
 * compared with tens of microseconds for each answer of a server.
 */
public final class InterceptedConnection {
  private static final Object[] NO_ARGUMENTS = {};

  private InterceptedConnection() {}

  /** A call that has not been made. */
  @FunctionalInterface
  public interface JdbcCall {
    @Nullable Object make() throws Throwable;
  }

  /** Gets each call, to make it or not. */
  @FunctionalInterface
  public interface Interceptor {
    /**
     * @param method its name
     * @return what the caller gets
     */
    @Nullable Object intercept(String method, Object[] arguments, JdbcCall call) throws Throwable;
  }

  /**
   * Wraps a connection.
   *
   * @param calls of the connection itself
   * @param ofText those of a statement that is prepared from this text
   */
  public static Connection of(
      Connection connection, Interceptor calls, Function<String, Interceptor> ofText) {
    return proxy(Connection.class, connection, calls, ofText);
  }

  private static <T> T proxy(
      Class<? extends T> type, T target, Interceptor calls, Function<String, Interceptor> ofText) {
    return type.cast(
        Proxy.newProxyInstance(
            InterceptedConnection.class.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              Object[] values = arguments == null ? NO_ARGUMENTS : arguments;
              Object result =
                  calls.intercept(
                      method.getName(),
                      values,
                      () -> {
                        try {
                          return method.invoke(target, values);
                        } catch (InvocationTargetException e) {
                          throw e.getTargetException();
                        }
                      });
              return result instanceof PreparedStatement statement
                  ? proxy(
                      method.getReturnType().asSubclass(PreparedStatement.class),
                      statement,
                      ofText.apply(String.valueOf(values[0])),
                      ofText)
                  : result;
            }));
  }
}
