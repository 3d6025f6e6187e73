/** Tests of the page as text; the tests with a browser are in the module of system tests. */
@NullMarked
package io.shardmark.driver.report;

import org.jspecify.annotations.NullMarked;
