@NullMarked
package io.shardmark.proxy.shards;

import org.jspecify.annotations.NullMarked;
