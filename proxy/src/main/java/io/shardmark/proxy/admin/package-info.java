/** The admin database: SHOW commands and operations as text, answered over the same protocol. */
@NullMarked
package io.shardmark.proxy.admin;

import org.jspecify.annotations.NullMarked;
