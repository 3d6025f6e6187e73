@NullMarked
package io.shardmark.proxy.protocol;

import org.jspecify.annotations.NullMarked;
