@NullMarked
package io.shardmark.driver.acid;

import org.jspecify.annotations.NullMarked;
