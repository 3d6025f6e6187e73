/** Holds the documentation to the tree it describes. Reads files; runs nothing. */
@NullMarked
package io.shardmark.docs;

import org.jspecify.annotations.NullMarked;
