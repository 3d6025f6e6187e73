@NullMarked
package io.shardmark.driver.adversity;

import org.jspecify.annotations.NullMarked;
