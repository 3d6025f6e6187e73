@NullMarked
package io.shardmark.driver.processes;

import org.jspecify.annotations.NullMarked;
