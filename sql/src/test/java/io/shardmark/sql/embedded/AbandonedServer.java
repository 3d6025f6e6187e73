package io.shardmark.sql.embedded;

import io.shardmark.config.Secret;

/** A program that starts a server, says which, and never stops it. */
final class AbandonedServer {
  private AbandonedServer() {}

  public static void main(String[] args) throws InterruptedException {
    EmbeddedServer server =
        EmbeddedServer.start(
            "embedded:postgres" + args[0], "u", new Secret("p"), "d", 5, System.err::println);
    System.out.println(server.pid());
    System.out.println(server.dataDirectory());
    Thread.currentThread().join();
  }
}
