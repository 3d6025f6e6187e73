/** Tests of how several drivers come together: messages, clocks, and whole groups over sockets. */
@NullMarked
package io.shardmark.driver.coordination;

import org.jspecify.annotations.NullMarked;
