/** Random statements and values, with plain PostgreSQL as the judge of the answers. */
@NullMarked
package io.shardmark.proxy.oracle;

import org.jspecify.annotations.NullMarked;
