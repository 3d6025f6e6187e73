/** JMH benchmarks of the hot paths. They run apart from the tests; each class says how. */
@NullMarked
package io.shardmark.bench;

import org.jspecify.annotations.NullMarked;
