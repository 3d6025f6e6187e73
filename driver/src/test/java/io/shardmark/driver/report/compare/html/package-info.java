@NullMarked
package io.shardmark.driver.report.compare.html;

import org.jspecify.annotations.NullMarked;
