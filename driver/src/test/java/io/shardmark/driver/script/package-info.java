/** Tests of custom scripts, some of them beside pgbench itself. */
@NullMarked
package io.shardmark.driver.script;

import org.jspecify.annotations.NullMarked;
