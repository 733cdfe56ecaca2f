import { expect, test } from "vitest";
import { latencyInLog, parseH2loadOutput } from "./h2load_output.ts";

function output(succeeded: number, dataBytes: number, finished = "987.37ms"): string {
  return `starting benchmark...
Application protocol: h2c

finished in ${finished}, 101278.85 req/s, 14.30MB/s
requests: 1000 total, 1000 started, 1000 done, ${succeeded} succeeded, ${1000 - succeeded} failed, 0 errored, 0 timeout
status codes: 1000 2xx, 0 3xx, 0 4xx, 0 5xx
traffic: 14.12MB (14806552) total, 2.19MB (2300504) headers (space savings 90.00%), 1.91MB (${dataBytes}) data
                     min         max         mean         sd        +/- sd
time for request:       92us     11.02ms      1.24ms       458us    82.44%
`;
}

test("calls, seconds and the rate come from the report", () => {
  expect(parseH2loadOutput(output(1000, 20_000), 20)).toEqual({ calls: 1000, seconds: 0.98737, perSecond: 101278.85 });
  expect(parseH2loadOutput(output(1000, 20_000, "1.06s"), 20).seconds).toBe(1.06);
  expect(parseH2loadOutput(output(1000, 20_000, "850us"), 20).seconds).toBeCloseTo(0.00085);
});

test("a call that failed is an error", () => {
  expect(() => parseH2loadOutput(output(998, 20_000), 20)).toThrow("2 of 1000 calls of h2load failed");
});

test("responses without a message are errors of gRPC, which h2load counts as successes", () => {
  expect(() => parseH2loadOutput(output(1000, 19_980), 20)).toThrow("some are errors");
});

test("a missing report is an error", () => {
  expect(() => parseH2loadOutput("Could not connect", 0)).toThrow("h2load printed no report");
});

test("latencies come from the log of single calls", () => {
  const log = Array.from({ length: 100 }, (_, index) => `${1_700_000_000_000 + index}\t200\t${(index + 1) * 100}\n`);
  expect(latencyInLog(log.join(""), 0.99)).toBe(10);
  expect(latencyInLog(log.join(""), 0.5)).toBe(5.1);
});
