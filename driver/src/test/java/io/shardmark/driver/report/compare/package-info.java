@NullMarked
package io.shardmark.driver.report.compare;

import org.jspecify.annotations.NullMarked;
