@NullMarked
package io.shardmark.proxy.execution;

import org.jspecify.annotations.NullMarked;
