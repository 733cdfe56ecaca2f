import { expect, test } from "vitest";
import { LoopLag } from "../../core/host/loop_lag.ts";
import { PrometheusMetrics } from "../../core/host/metrics.ts";

test("counts by operation and code, and how long calls took", async () => {
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

test("shows what is as it is now, and the process", async () => {
  const metrics = new PrometheusMetrics();
  metrics.watch({ inFlight: () => 3, waitingWrites: () => 5 });
  const text = await metrics.text();
  expect(text).toContain("\nedgehelm_calls_in_flight 3\n");
  expect(text).toContain("\nedgehelm_database_writes_waiting 5\n");
  expect(text).toMatch(/\nedgehelm_event_loop_lag_seconds [\d.e-]+\n/);
  expect(text).toMatch(/\nprocess_resident_memory_bytes [1-9]/);
  expect(text).toMatch(/\nprocess_cpu_seconds_total /);
});

test("sees an event loop that is held up, before and after it turns again", async () => {
  const lag = new LoopLag();
  const end = performance.now() + 900;
  while (performance.now() < end);
  expect(lag.seconds()).toBeGreaterThan(0.3);
  await new Promise((resolve) => setTimeout(resolve));
  expect(lag.seconds()).toBeGreaterThan(0.3);
});
