/**
 * What the system under test is when a run begins: settings that are not the default, extensions,
 * tables, keys and indexes, sizes. Read once on a connection of the main thread, before the first
 * terminal; what a server does not say is a text that says so and never ends the run.
 */
@NullMarked
package io.shardmark.driver.inventory;

import org.jspecify.annotations.NullMarked;
