@NullMarked
package io.shardmark.proxy.pool.login;

import org.jspecify.annotations.NullMarked;
