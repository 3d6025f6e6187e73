/**
 * The dashboard on a terminal. What it shows is made by pure code; only {@link
 * io.shardmark.driver.live.screen.Dashboard} knows the terminal. The thread that shows the status
 * of a run draws it, a thread of the JVM when the window changes.
 */
@NullMarked
package io.shardmark.driver.live.screen;

import org.jspecify.annotations.NullMarked;
