@NullMarked
package io.shardmark.driver.compare;

import org.jspecify.annotations.NullMarked;
