package io.shardmark.proxy.merge;

/** Sums that fail where PostgreSQL's fail: 22003. */
final class Additions {
  private Additions() {}

  static Long int8(Long left, Long right) {
    try {
      return Math.addExact(left, right);
    } catch (ArithmeticException e) {
      throw outOfRange("bigint out of range");
    }
  }

  static Float float4(Float left, Float right) {
    float sum = left + right;
    if (Float.isInfinite(sum) && !Float.isInfinite(left) && !Float.isInfinite(right)) {
      throw outOfRange("value out of range: overflow");
    }
    return sum;
  }

  static Double float8(Double left, Double right) {
    double sum = left + right;
    if (Double.isInfinite(sum) && !Double.isInfinite(left) && !Double.isInfinite(right)) {
      throw outOfRange("value out of range: overflow");
    }
    return sum;
  }

  private static MergeRefusedException outOfRange(String message) {
    return new MergeRefusedException(
        MergeStates.OUT_OF_RANGE, message, "Cast to numeric before the values are added up.");
  }
}
