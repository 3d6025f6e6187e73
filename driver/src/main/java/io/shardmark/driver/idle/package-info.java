/**
 * PostgreSQL sessions that are logged in, besides those of the terminals, and hardly used: many
 * more than one process may open files, so that helper processes hold them. {@link
 * io.shardmark.driver.idle.IdleClients} is such a process, one thread over a selector; {@link
 * io.shardmark.driver.idle.IdleRun} starts and directs them from the driver. They meet over
 * standard input and output.
 */
@NullMarked
package io.shardmark.driver.idle;

import org.jspecify.annotations.NullMarked;
