@NullMarked
package io.shardmark.proxy.shardmap;

import org.jspecify.annotations.NullMarked;
