package io.shardmark.proxy.server;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoRegistration;

/** Has another handler do all but what it does differently. One thread, as that one. */
abstract class PassedOnIoHandler implements IoHandler {
  final IoHandler handler;

  /**
   * @param handler does the work
   */
  PassedOnIoHandler(IoHandler handler) {
    this.handler = handler;
  }

  @Override
  public void initialize() {
    handler.initialize();
  }

  @Override
  public void prepareToDestroy() {
    handler.prepareToDestroy();
  }

  @Override
  public void destroy() {
    handler.destroy();
  }

  @Override
  public IoRegistration register(IoHandle handle) throws Exception {
    return handler.register(handle);
  }

  @Override
  public void wakeup() {
    handler.wakeup();
  }

  @Override
  public boolean isCompatible(Class<? extends IoHandle> type) {
    return handler.isCompatible(type);
  }
}
