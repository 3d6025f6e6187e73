@NullMarked
package io.shardmark.proxy.growth;

import org.jspecify.annotations.NullMarked;
