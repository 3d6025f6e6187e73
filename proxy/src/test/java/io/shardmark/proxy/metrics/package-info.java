@NullMarked
package io.shardmark.proxy.metrics;

import org.jspecify.annotations.NullMarked;
