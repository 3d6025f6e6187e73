@NullMarked
package io.shardmark.driver.compare.html;

import org.jspecify.annotations.NullMarked;
