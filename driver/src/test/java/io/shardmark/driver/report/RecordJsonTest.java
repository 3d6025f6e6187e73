package io.shardmark.driver.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonInclude.Value;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.shardmark.driver.report.Page.Align;
import io.shardmark.driver.report.Page.Block;
import io.shardmark.driver.report.Page.OnPhone;
import io.shardmark.driver.report.Page.PageCell;
import io.shardmark.driver.report.Page.PageColumn;
import io.shardmark.driver.report.Page.PageGrade;
import io.shardmark.driver.report.Page.PageRow;
import io.shardmark.driver.report.Page.Table;
import io.shardmark.driver.results.MadeRun;
import io.shardmark.driver.results.RecordJson;
import io.shardmark.driver.results.RecordJson.JsonForm;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.SummaryFile;
import io.shardmark.driver.results.reader.SampleDirectories;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Jackson's databind writes of the same records, and of numbers that a script draws. */
final class RecordJsonTest {
  /** As the reader of a summary is set. */
  private static ObjectMapper databind(Include contents) {
    return JsonMapper.builder()
        .disable(MapperFeature.AUTO_DETECT_IS_GETTERS)
        .defaultPropertyInclusion(Value.construct(Include.NON_NULL, contents))
        .build();
  }

  private static void assertLikeDatabind(Object document, JsonForm form, Include contents)
      throws JsonProcessingException {
    ObjectMapper mapper = databind(contents);
    assertThat(mapper.readTree(RecordJson.of(document, form)))
        .isEqualTo(mapper.readTree(mapper.writeValueAsString(document)));
  }

  @Test
  void aResultHasTheMembersThatDatabindWrites(@TempDir Path temporary) throws IOException {
    RunResult ours =
        SummaryFile.read(SampleDirectories.ours(temporary), new ArrayList<>()).orElseThrow();
    assertLikeDatabind(ours, JsonForm.FILE, Include.NON_NULL);
    assertLikeDatabind(MadeRun.full(ours), JsonForm.FILE, Include.NON_NULL);
  }

  @Test
  void aPageHasTheMembersThatDatabindWrites() throws IOException {
    List<Block> blocks =
        List.of(
            new Page.PageNote("a \"note\"\n"),
            new Page.Items(List.of("one")),
            new Page.Verbatim("", "x"),
            new Page.Chart("id", "", "low", "", Map.of("series", List.of())),
            new Table(
                "caption",
                List.of(new PageColumn("a", Align.NUMBER)),
                List.of(
                    new PageRow(
                        "", List.of(new PageCell("1", null), new PageCell("2", PageGrade.FAIL)))),
                OnPhone.STACKED));
    Page page =
        new Page(
            "title",
            "",
            "",
            "",
            List.of(),
            List.of(),
            List.of(PageGrade.PASS.on("subject", "text")),
            List.of(),
            List.of(new Page.Section("id", "title", "", blocks, true)),
            "");
    assertLikeDatabind(page, JsonForm.DRAWN, Include.ALWAYS);
  }

  @Test
  void whatIsDrawnHasFiveDigitsAndNullWhereNothingIsKnown() {
    Map<String, Object> spec = new LinkedHashMap<>();
    spec.put("values", Arrays.asList(1.0, 123456.78, 0.000123456, 2e15, Double.NaN, null));
    spec.put("none", null);
    assertThat(RecordJson.of(spec, JsonForm.DRAWN))
        .isEqualTo("{\"values\":[1,1.2346E+5,0.00012346,2.0000E+15,null,null],\"none\":null}");
  }
}
