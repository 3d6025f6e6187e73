@NullMarked
package io.shardmark.proxy.background;

import org.jspecify.annotations.NullMarked;
