import { expect, test } from "vitest";
import { LoopLag } from "../../core/host/observe/loop_lag.ts";
import { PrometheusMetrics } from "../../core/host/observe/metrics.ts";

test("counts calls by operation and code, and measures their duration", async () => {
  const metrics = new PrometheusMetrics();
  metrics.call("/A/b", 200, 0.0005);
  metrics.call("/A/b", 200, 0.02);
  metrics.call("/A/b", 404, 9);
  const lines = (await metrics.text()).split("\n");
  for (
    const line of [
      "# TYPE edgehelm_calls_total counter",
      'edgehelm_calls_total{operation="/A/b",code="200"} 2',
      'edgehelm_calls_total{operation="/A/b",code="404"} 1',
      "# TYPE edgehelm_call_duration_seconds histogram",
      'edgehelm_call_duration_seconds_bucket{operation="/A/b",le="0.0005"} 1',
      'edgehelm_call_duration_seconds_bucket{operation="/A/b",le="0.01"} 1',
      'edgehelm_call_duration_seconds_bucket{operation="/A/b",le="0.025"} 2',
      'edgehelm_call_duration_seconds_bucket{operation="/A/b",le="5"} 2',
      'edgehelm_call_duration_seconds_bucket{operation="/A/b",le="+Inf"} 3',
      'edgehelm_call_duration_seconds_sum{operation="/A/b"} 9.0205',
      'edgehelm_call_duration_seconds_count{operation="/A/b"} 3',
    ]
  ) expect(lines).toContain(line);
});

test("exports gauges and the metrics of the process", async () => {
  const metrics = new PrometheusMetrics();
  metrics.watch({ inFlight: () => 3, waitingWrites: () => 5 });
  const text = await metrics.text();
  expect(text).toContain("\nedgehelm_calls_in_flight 3\n");
  expect(text).toContain("\nedgehelm_database_writes_waiting 5\n");
  expect(text).toMatch(/\nedgehelm_event_loop_lag_seconds [\d.e-]+\n/);
  expect(text).toMatch(/\nprocess_resident_memory_bytes [1-9]/);
  expect(text).toMatch(/\nprocess_cpu_seconds_total /);
});

test("exports the metrics of plugins under their names", async () => {
  const metrics = new PrometheusMetrics();
  const plugin = metrics.ofPlugin("blog");
  const posts = plugin.counter("posts_total", "Posts, by kind");
  plugin.gauge("drafts", "Posts that are not shown", () => 7);
  expect(await metrics.text()).toContain("# TYPE edgehelm_blog_posts_total counter");
  posts.add(2, { kind: "long" });
  posts.add(1, { kind: "short" });
  posts.add(3, { kind: "long" });
  const lines = (await metrics.text()).split("\n");
  for (
    const line of [
      "# HELP edgehelm_blog_posts_total Posts, by kind",
      'edgehelm_blog_posts_total{kind="long"} 5',
      'edgehelm_blog_posts_total{kind="short"} 1',
      "# TYPE edgehelm_blog_drafts gauge",
      "edgehelm_blog_drafts 7",
    ]
  ) expect(lines).toContain(line);
  expect(() => plugin.counter("posts_total", "again")).toThrow(/edgehelm_blog_posts_total/);
});

test("measures a blocked event loop, during the block and afterwards", async () => {
  const lag = new LoopLag();
  const end = performance.now() + 900;
  while (performance.now() < end);
  expect(lag.seconds()).toBeGreaterThan(0.3);
  await new Promise((resolve) => setTimeout(resolve));
  expect(lag.seconds()).toBeGreaterThan(0.3);
});
