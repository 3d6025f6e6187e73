/**
 * Runs what the proxy does on its own account: named tasks, each on its own thread and never an
 * event loop. Whatever a task throws is logged and counted, and the task runs again at its next
 * time.
 */
@NullMarked
package io.shardmark.proxy.background;

import org.jspecify.annotations.NullMarked;
