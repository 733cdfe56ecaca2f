import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import {
  connectionsFor,
  openFileCount,
  openFileLimit,
  requireOpenFiles,
} from "../../../core/host/settings/open_files.ts";

test("the limit of open files is the one that a child process inherits", () => {
  expect(String(openFileLimit())).toBe(execFileSync("sh", ["-c", "ulimit -n"], { encoding: "utf8" }).trim());
  expect(openFileCount()).toBeGreaterThan(2);
});

test.each([[128, 40, 56, 8], [1024, 40, 728, 4096], [20_000, 40, 19_704, 4096]])(
  "%i files, of which %i are open, leave room for %i connections, of which %i may wait",
  (limit, open, max, backlog) => {
    expect(connectionsFor(limit, open)).toMatchObject({ max, backlog });
  },
);

test("a system that does not say its limit has none", () => {
  expect(connectionsFor(undefined, 40).max).toBe(Infinity);
  expect(() => requireOpenFiles(undefined)).not.toThrow();
});

test("too few files to serve stop the start", () => {
  expect(() => connectionsFor(96, 60)).toThrow("the process may open only 96 files; raise the limit");
  expect(() => requireOpenFiles(95)).toThrow("ulimit -n 1024, or LimitNOFILE=1024 of systemd");
});
