@NullMarked
package io.shardmark.config.proxy;

import org.jspecify.annotations.NullMarked;
