@NullMarked
package io.shardmark.proxy;

import org.jspecify.annotations.NullMarked;
