/** Tests of routing. */
@NullMarked
package io.shardmark.proxy.routing;

import org.jspecify.annotations.NullMarked;
