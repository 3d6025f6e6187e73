@NullMarked
package io.shardmark.proxy.catalog;

import org.jspecify.annotations.NullMarked;
