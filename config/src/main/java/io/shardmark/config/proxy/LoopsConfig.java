package io.shardmark.config.proxy;

import io.shardmark.config.Processors;
import java.time.Duration;

/**
 * The threads that serve clients.
 *
 * @param count 1 to 256
 * @param transport how they drive their sockets
 * @param busyPoll how long a thread looks for more work before it sleeps; zero to 10 ms
 * @param processors what they are bound to
 */
public record LoopsConfig(
    int count, Transport transport, Duration busyPoll, Processors processors) {}
