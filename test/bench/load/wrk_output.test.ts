import { expect, test } from "vitest";
import { parseWrkOutput } from "./wrk_output.ts";

function output(report: object, sample = ""): string {
  return `Running 1s test @ http://127.0.0.1:8080/\n  1 threads and 32 connections\n${
    JSON.stringify(report)
  }\n${sample}\n`;
}

const REPORT = { calls: 1000, seconds: 1.25, broken: 0, wrong: 0, p50: 0.5, p99: 2 };

test("calls, seconds and latencies come from the report", () => {
  expect(parseWrkOutput(output(REPORT), "/find")).toEqual({ calls: 1000, seconds: 1.25, p50: 0.5, p99: 2, wrong: 0 });
});

test("a wrong response is an error that shows the first one", () => {
  const text = output({ ...REPORT, wrong: 3 }, '401 {"code":401}');
  expect(() => parseWrkOutput(text, "/find")).toThrow(
    '/find: 3 of 1000 responses are wrong, the first of them: 401 {"code":401}',
  );
  expect(parseWrkOutput(text, "/find", true).wrong).toBe(3);
});

test("a call that broke off is an error, even where responses may be wrong", () => {
  expect(() => parseWrkOutput(output({ ...REPORT, broken: 2 }), "/find", true)).toThrow("2 calls of wrk broke off");
});

test("a load without calls and a missing report are errors", () => {
  expect(() => parseWrkOutput(output({ ...REPORT, calls: 0 }), "/find")).toThrow("no call ended");
  expect(() => parseWrkOutput("unable to connect", "/find")).toThrow("wrk printed no report: unable to connect");
});
