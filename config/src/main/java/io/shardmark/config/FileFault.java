package io.shardmark.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** What went wrong with a file, in a user's words. Pure; any thread. */
public final class FileFault {
  private FileFault() {}

  /**
   * One line with the path, where the fault knows it, and the cause: {@code props.pg: no such
   * file}. Java's own message is often the path alone, and the rest the name of a class.
   */
  public static String message(IOException fault) {
    if (fault instanceof FileSystemException of && of.getFile() != null) {
      String other = of.getOtherFile() == null ? "" : " -> " + of.getOtherFile();
      return of.getFile() + other + ": " + cause(of);
    }
    return cause(fault);
  }

  /** The cause without the path. */
  public static String cause(IOException fault) {
    if (fault instanceof NoSuchFileException) {
      return "no such file or directory";
    }
    if (fault instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (fault instanceof FileAlreadyExistsException) {
      return "exists already";
    }
    if (fault instanceof NotDirectoryException) {
      return "is no directory";
    }
    if (fault instanceof DirectoryNotEmptyException) {
      return "the directory is not empty";
    }
    if (fault instanceof CharacterCodingException) {
      return "is not UTF-8 text";
    }
    if (fault instanceof FileSystemException of && of.getReason() != null) {
      return of.getReason();
    }
    String message = fault.getMessage();
    if (message == null) {
      return fault.getClass().getSimpleName();
    }
    return message.strip().replaceAll("\\s+", " ");
  }
}
