package io.shardmark.proxy;

/** Starts the proxy: {@code java -jar proxy.jar proxy.yaml}. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    System.err.println("usage: java -jar proxy.jar proxy.yaml");
    System.exit(2);
  }
}
