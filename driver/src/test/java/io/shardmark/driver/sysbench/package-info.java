@NullMarked
package io.shardmark.driver.sysbench;

import org.jspecify.annotations.NullMarked;
