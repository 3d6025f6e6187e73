package io.shardmark.driver.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.driver.sweep.SweepRequest.SearchRequest;
import io.shardmark.driver.sweep.SweepRequest.SweepDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From the plan to the next point and back, without a run. */
final class SearchRunTest {
  @TempDir private Path directory;

  private SearchRun run(SearchRequest search, Map<String, String> overrides) throws IOException {
    Path file = directory.resolve("props.x");
    Files.writeString(
        file,
        """
        db=postgres
        driver=org.postgresql.Driver
        conn=null:
        user=x
        password=y
        warehouses=8
        terminals=1
        runMins=1
        """);
    database = SweepDatabase.read("x", file, overrides, Map.of());
    SweepRequest request =
        new SweepRequest(
            List.of(database), List.of(), 1, 0, BuildMode.NEVER, true, overrides, search, 0);
    plan = SweepPlan.begin(directory, request, List.of());
    return new SearchRun(request, database);
  }

  @SuppressWarnings("NullAway.Init") // set by run(...), which every test begins with
  private SweepPlan plan;

  @SuppressWarnings("NullAway.Init") // the same
  private SweepDatabase database;

  private static PointFigures figures(double tpmC) {
    Map<String, Double> rates = Map.of("tpmC", tpmC);
    return new PointFigures(
        "completed", rates, 2 * tpmC, 1000, 0, "New-Order", null, null, List.of(), "", false);
  }

  private void ended(Point point, @Nullable Integer verify, String why, double tpmC)
      throws IOException {
    PointRecord before = plan.find(point).orElseGet(() -> PointRecord.pending(point));
    plan.put(
        before
            .begun()
            .ended(
                new PointRecord.PointOutcome(
                    0, verify, "", "", why, why.isEmpty() ? figures(tpmC) : null)));
  }

  @Test
  void aRunThatFailsIsTriedAgainAndThenCountsAsOneThatDoesNotHold() throws IOException {
    SearchRun run = run(new SearchRequest(SearchGoal.TERMINALS, 4, 100, 4, 70), Map.of());
    boolean more = true;
    while (more) {
      List<Point> points = run.next(plan);
      more = !points.isEmpty();
      if (more) {
        Point point = points.get(0);
        boolean fails = point.kind() == Point.PointKind.PROBE && point.terminals() > 12;
        ended(point, fails ? null : 0, fails ? "too many" : "", 100);
      }
    }

    SearchResult result = run.result(plan);
    assertThat(result.ending()).isEqualTo(SearchResult.SearchEnding.FOUND);
    assertThat(result.value()).isEqualTo(12);
    assertThat(result.throughput())
        .isEqualTo(new SearchResult.Throughput(Map.of("tpmC", 100.0), 200, 2));
    assertThat(plan.points())
        .filteredOn(record -> record.state() == PointRecord.PointState.FAILED)
        .isNotEmpty()
        .allMatch(record -> record.attempts() == 2);
    SearchResult.Hold hold = result.hold();
    assertThat(hold).isNotNull();
    if (hold != null) {
      assertThat(hold.openLoopTxnsPerMin()).isEqualTo(140);
      assertThat(hold.terminals()).isEqualTo(48);
      assertThat(hold.directory()).isEqualTo("hold/x/t0048-r1");
      assertThat(hold.held()).isTrue();
    }
  }

  @Test
  void wrongDataEndsTheSearch() throws IOException {
    SearchRun run = run(new SearchRequest(SearchGoal.TERMINALS, 4, 100, 4, 70), Map.of());
    ended(run.next(plan).get(0), 0, "", 100);
    ended(run.next(plan).get(0), 1, "verify: 1 fail", 0);

    assertThat(run.next(plan)).isEmpty();
    assertThat(run.result(plan).ending()).isEqualTo(SearchResult.SearchEnding.FAILED);
    assertThat(run.result(plan).remark()).contains("x terminals=8", "verify: 1 fail");
  }

  @Test
  void aLeastValueThatCannotRunEndsTheSearch() throws IOException {
    SearchRun run = run(new SearchRequest(new SearchGoal("tpmC"), 4, 100, 4, 70), Map.of());
    ended(run.next(plan).get(0), null, "no server", 0);
    ended(run.next(plan).get(0), null, "no server", 0);

    assertThat(run.next(plan)).isEmpty();
    assertThat(run.result(plan).remark()).contains("no server");
  }

  @Test
  void whatWasBrokenOffIsRunAgain() throws IOException {
    SearchRun run = run(new SearchRequest(SearchGoal.TERMINALS, 4, 100, 4, 70), Map.of());
    Point first = run.next(plan).get(0);
    plan.put(PointRecord.pending(first).begun());

    assertThat(SweepPlan.read(directory).points()).hasSize(1);
    assertThat(run.next(SweepPlan.read(directory))).contains(first);
  }

  @Test
  void clause421AWarehouseHasTenTerminalsThatKeyAndThink() throws IOException {
    SearchRun run = run(new SearchRequest(SearchGoal.SCALE, 2, 0, 0, 70), Map.of());
    Point first = run.next(plan).get(0);

    assertThat(first.directory()).isEqualTo("x/w0002-r1");
    assertThat(first.keys(database))
        .containsEntry("warehouses", "2")
        .containsEntry("terminals", "20")
        .containsEntry("keyingTimeMultiplier", "1")
        .containsEntry("thinkTimeMultiplier", "1");
    assertThat(run.extremes().map(point -> point.keys(database)).toList().get(1))
        .containsEntry("warehouses", "8");
  }

  @Test
  void multipliersThatAreSetAreKept() throws IOException {
    SearchRun run =
        run(new SearchRequest(SearchGoal.SCALE, 2, 4, 0, 0), Map.of("thinkTimeMultiplier", "0.1"));

    assertThat(run.next(plan).get(0).keys(database))
        .doesNotContainKeys("keyingTimeMultiplier", "thinkTimeMultiplier");
  }
}
