@NullMarked
package io.shardmark.proxy.session.login;

import org.jspecify.annotations.NullMarked;
