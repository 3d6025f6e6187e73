/**
 * Processes of this machine as Linux' {@code /proc} shows them: which one listens at an address,
 * and what it and those that it started have used.
 */
@NullMarked
package io.shardmark.driver.processes;

import org.jspecify.annotations.NullMarked;
