@NullMarked
package io.shardmark.proxy.settings;

import org.jspecify.annotations.NullMarked;
