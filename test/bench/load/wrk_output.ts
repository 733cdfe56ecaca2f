import type { LoadResult } from "./http_call.ts";

/** A load that was over before its first call. */
export class NoCallEndedError extends Error {}

/**
 * Reads the report of wrk.lua; throws when a call broke off or, unless they may, responses are not as expected.
 *
 * @param call names the call in errors
 */
export function parseWrkOutput(output: string, call: string, mayFail = false): LoadResult {
  const lines = output.split("\n");
  const at = lines.findIndex((line) => line.startsWith('{"calls":'));
  if (at === -1) throw new Error(`${call}: wrk printed no report: ${output}`);
  const { calls, seconds, broken, wrong, p50, p99 } = JSON.parse(lines[at]!);
  const sample = lines.slice(at + 1).join("\n").trim();
  if (wrong > 0 && !mayFail) {
    throw new Error(`${call}: ${wrong} of ${calls} responses are wrong, the first of them: ${sample}`);
  }
  if (broken > 0) throw new Error(`${call}: ${broken} calls of wrk broke off`);
  if (calls === 0) throw new NoCallEndedError(`${call}: no call ended within the load`);
  return { calls, seconds, p50, p99, wrong };
}
