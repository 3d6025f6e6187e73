/** Tests of merging: what several drivers kept, against one that saw everything. */
@NullMarked
package io.shardmark.driver.merge;

import org.jspecify.annotations.NullMarked;
