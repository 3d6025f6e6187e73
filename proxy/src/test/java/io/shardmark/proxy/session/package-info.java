@NullMarked
package io.shardmark.proxy.session;

import org.jspecify.annotations.NullMarked;
