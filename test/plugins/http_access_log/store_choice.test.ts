import { TestClock } from "edgehelm/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { createLogger } from "../../../core/base/log.ts";
import { chooseStore } from "../../../plugins/http_access_log/store_choice.ts";
import { TEST_DATABASE } from "../../harness/database.ts";
import { driverOf, logKernel, type LogKernelOptions, storeOf } from "./rig.ts";

/** Starts an installation and returns the line of its log about the choice. */
async function open(options: Partial<LogKernelOptions>): Promise<string | undefined> {
  const lines: string[] = [];
  const clock = new TestClock();
  const log = createLogger({ level: "info", write: (line) => void lines.push(line), clock });
  const edgehelm = await logKernel({ clock, log, ...options });
  onTestFinished(() => edgehelm[Symbol.asyncDispose]());
  return lines.find((line) => line.includes("access log store chosen"));
}

const segments = driverOf(storeOf({}), { name: "segments", isLocal: true });
const onTheEdge = { ...segments, open: undefined };
const remote = driverOf(storeOf({}), { name: "clickhouse" });

describe.skipIf(TEST_DATABASE !== "file")("the store of a local database", () => {
  test.each([
    ["rows", {}, [], "no plugin with a local store is enabled"],
    ["rows", {}, [remote], "no plugin with a local store is enabled"],
    ["rows", {}, [onTheEdge], "there is no file system"],
    ["rows", { store: "rows" }, [segments], "set in the configuration"],
    ["segments", { store: "segments" }, [segments], "set in the configuration"],
    ["segments", {}, [remote, segments], "the database is local to this machine"],
    ["clickhouse", { store: "clickhouse" }, [segments, remote], "set in the configuration"],
  ])("is %s with the configuration %o and the stores %o", async (expected, config, drivers, reason) => {
    const line = await open({ config: { store: "", ...config }, drivers });
    expect(line).toContain(`"store":"${expected}"`);
    expect(line).toContain(reason);
  });
});

test("the store of a shared database is rows, and a local store is refused", () => {
  const rows = driverOf(storeOf({}), { name: "rows" });
  expect(chooseStore("", [rows, segments], true)).toMatchObject({ name: "rows", reason: "the database may be shared" });
  expect(() => chooseStore("segments", [rows, segments], true)).toThrow(
    'store: "segments" needs a local database, and this one may be shared: use "rows" or "clickhouse"',
  );
});

describe.skipIf(TEST_DATABASE !== "file")("the configuration is refused", () => {
  test.each([
    ["mongo", [], 'store: must be "rows", "segments" or "clickhouse", got "mongo"'],
    ["mongo", [{ ...remote, name: "tape" }], 'store: must be "rows", "tape", "segments" or "clickhouse", got "mongo"'],
    [
      "segments",
      [],
      'store: "segments" needs the plugin "access_log_segments": enable it in the installation manifest',
    ],
    ["clickhouse", [segments], 'store: "clickhouse" needs the plugin "access_log_clickhouse": enable it in the'],
    ["segments", [onTheEdge], 'store: "segments" is not available on the edge: use "rows"'],
  ])("with the store %s and the stores %o", async (store, drivers, message) => {
    await expect(open({ config: { store }, drivers })).rejects.toThrow(message);
  });

  test.each([
    [{ samplingPercent: 101 }, "samplingPercent: must be from 0 to 100, got 101"],
    [{ rowsPerSecond: "-1" }, "rowsPerSecond: must not be negative, got -1"],
    [{ maxBytes: "-1" }, "maxBytes: must not be negative, got -1"],
    [
      { minFreeBytes: "1" },
      'minFreeBytes: set this in the configuration of the plugin "access_log_segments" instead',
    ],
    [
      { segments: { directory: "logs" } },
      'segments: set this in the configuration of the plugin "access_log_segments" instead',
    ],
    [
      { clickhouse: { url: "http://127.0.0.1:8123" } },
      'clickhouse: set this in the configuration of the plugin "access_log_clickhouse" instead',
    ],
  ])("%o", async (config, message) => {
    await expect(open({ config })).rejects.toThrow(message);
  });
});
