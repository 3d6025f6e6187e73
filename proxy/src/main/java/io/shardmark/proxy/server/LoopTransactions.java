package io.shardmark.proxy.server;

import io.shardmark.proxy.deadlock.TransactionDirectory;
import io.shardmark.proxy.session.Session;
import io.shardmark.proxy.session.SessionContext;
import java.util.ArrayList;
import java.util.List;

/** The transactions of all event loops: each loop is asked for its own, and waited for. */
final class LoopTransactions implements TransactionDirectory {
  private final List<SessionContext> loops;

  LoopTransactions(List<SessionContext> loops) {
    this.loops = List.copyOf(loops);
  }

  @Override
  public List<OpenTransaction> snapshot() {
    List<OpenTransaction> all = new ArrayList<>();
    for (SessionContext context : loops) {
      var asked =
          context
              .loop()
              .submit(
                  () ->
                      context.sessions().stream()
                          .flatMap(session -> session.openTransaction().stream())
                          .toList())
              .awaitUninterruptibly();
      if (asked.isSuccess()) {
        all.addAll(asked.getNow());
      }
    }
    return all;
  }

  @Override
  public void cancel(long id, Backend backend, String detail) {
    for (SessionContext context : loops) {
      context
          .loop()
          .execute(
              () -> {
                for (Session session : List.copyOf(context.sessions())) {
                  session.cancelDeadlocked(id, backend, detail);
                }
              });
    }
  }
}
