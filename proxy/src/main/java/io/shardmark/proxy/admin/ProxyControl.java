package io.shardmark.proxy.admin;

import java.util.concurrent.CompletionStage;

/**
 * The commands to a running proxy. Any thread; nothing blocks. The stages complete with one line
 * for the user ("" if there is nothing to say), or exceptionally with a {@link
 * io.shardmark.config.ConfigException} whose message is that line.
 */
public interface ProxyControl {
  /** Reads the configuration file again and takes over what can be. */
  CompletionStage<String> reload();

  /** Lets no new transaction begin; complete when those under way have ended. */
  CompletionStage<String> pause();

  /** Ends a pause. */
  CompletionStage<String> resume();

  /** Takes no new clients, lets transactions end, then ends the process. */
  CompletionStage<String> drain();

  /** Ends the process at once; what is open is rolled back. */
  CompletionStage<String> shutdown();
}
