@NullMarked
package io.shardmark.driver.sweep;

import org.jspecify.annotations.NullMarked;
