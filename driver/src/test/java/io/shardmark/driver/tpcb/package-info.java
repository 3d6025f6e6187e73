@NullMarked
package io.shardmark.driver.tpcb;

import org.jspecify.annotations.NullMarked;
