/** Holds the house rules of docs/architecture.md that the compiler cannot hold. */
@NullMarked
package io.shardmark.architecture;

import org.jspecify.annotations.NullMarked;
