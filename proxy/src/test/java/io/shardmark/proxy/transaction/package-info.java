@NullMarked
package io.shardmark.proxy.transaction;

import org.jspecify.annotations.NullMarked;
