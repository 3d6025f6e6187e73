@NullMarked
package io.shardmark.proxy.admin;

import org.jspecify.annotations.NullMarked;
