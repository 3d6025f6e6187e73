/**
 * The load generator: wires configuration, workload, terminals, measurement and results together.
 * Only this package knows the command line.
 */
@NullMarked
package io.shardmark.driver;

import org.jspecify.annotations.NullMarked;
