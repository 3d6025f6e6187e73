/**
 * Processes of this machine as Linux' {@code /proc} shows them: which one listens at an address,
 * what it and those that it started have used, and all those of a user's command.
 */
@NullMarked
package io.shardmark.driver.processes;

import org.jspecify.annotations.NullMarked;
