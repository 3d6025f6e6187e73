/**
 * A run that can be watched while it goes on: what it does now and did so far, as JSON for the page
 * in the browser and as metrics for Prometheus, served over HTTP. Of fixed size, however long a run
 * is. The collector's thread feeds it once a second; readers have their own threads.
 */
@NullMarked
package io.shardmark.driver.live;

import org.jspecify.annotations.NullMarked;
