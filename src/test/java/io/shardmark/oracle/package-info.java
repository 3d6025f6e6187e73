/**
 * The whole round on Oracle Database Free in a container. Where no container engine runs, the test
 * is skipped and says so.
 */
@NullMarked
package io.shardmark.oracle;

import org.jspecify.annotations.NullMarked;
