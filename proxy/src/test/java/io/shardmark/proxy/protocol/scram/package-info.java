@NullMarked
package io.shardmark.proxy.protocol.scram;

import org.jspecify.annotations.NullMarked;
