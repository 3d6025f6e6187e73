@NullMarked
package io.shardmark.driver.repeat;

import org.jspecify.annotations.NullMarked;
