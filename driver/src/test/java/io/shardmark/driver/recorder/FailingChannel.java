package io.shardmark.driver.recorder;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;

/** A disk with a fixed number of free bytes: takes what fits, then says that it is full. */
final class FailingChannel implements SeekableByteChannel {
  private final byte[] content;
  private int length;
  private boolean open = true;

  FailingChannel(int freeBytes) {
    content = new byte[freeBytes];
  }

  String text() {
    return new String(content, 0, length, java.nio.charset.StandardCharsets.UTF_8);
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    int fits = Math.min(source.remaining(), content.length - length);
    if (fits == 0 && source.hasRemaining()) {
      throw new IOException("No space left on device");
    }
    source.get(content, length, fits);
    length += fits;
    return fits;
  }

  @Override
  public SeekableByteChannel truncate(long size) {
    length = (int) Math.min(size, length);
    return this;
  }

  @Override
  public int read(ByteBuffer target) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long position() {
    return length;
  }

  @Override
  public SeekableByteChannel position(long newPosition) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long size() {
    return length;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public void close() {
    open = false;
  }
}
