@NullMarked
package io.shardmark.proxy.copy;

import org.jspecify.annotations.NullMarked;
