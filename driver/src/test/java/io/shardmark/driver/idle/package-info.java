@NullMarked
package io.shardmark.driver.idle;

import org.jspecify.annotations.NullMarked;
