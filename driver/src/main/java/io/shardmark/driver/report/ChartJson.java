package io.shardmark.driver.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;

/** JSON that scripts draw: numbers of five digits, more nobody sees; null for what is not known. */
public final class ChartJson {
  private static final MathContext DIGITS = new MathContext(5);

  /** Whole numbers below stay as they are; a double has them all. */
  private static final double MOST_WHOLE = 1e15;

  private ChartJson() {}

  /** Writes records and maps; members that are null are left out. */
  public static ObjectMapper mapper() {
    return JsonMapper.builder()
        .disable(MapperFeature.AUTO_DETECT_IS_GETTERS)
        .addModule(
            new SimpleModule()
                .addSerializer(Double.class, new Rounded())
                .addSerializer(double.class, new Rounded()))
        .defaultPropertyInclusion(
            JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
        .build();
  }

  private static final class Rounded extends StdScalarSerializer<Double> {
    private static final long serialVersionUID = 1L;

    Rounded() {
      super(Double.class);
    }

    @Override
    public void serialize(Double value, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      if (!Double.isFinite(value)) {
        json.writeNull();
      } else if (value == Math.rint(value) && Math.abs(value) < MOST_WHOLE) {
        json.writeNumber(value.longValue());
      } else {
        json.writeNumber(new BigDecimal(value).round(DIGITS));
      }
    }
  }
}
