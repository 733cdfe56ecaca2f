import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, readSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { LogOutput } from "../../core/host/observe/log_output.ts";

let directory: string;
let pipe: number;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "edgehelm-log-"));
  const path = join(directory, "pipe");
  execFileSync("mkfifo", [path]);
  // Opened for reading and writing, so that it fills up until the test reads.
  pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
});
afterEach(async () => {
  closeSync(pipe);
  await rm(directory, { recursive: true });
});

/** Reads everything that the pipe holds. */
function readAll(): string {
  let text = "";
  const chunk = new Uint8Array(65_536);
  for (;;) {
    try {
      text += new TextDecoder().decode(chunk.subarray(0, readSync(pipe, chunk)));
    } catch {
      return text;
    }
  }
}

const line = (number: number) => `{"number":${number},"filler":"${"x".repeat(1000)}"}\n`;

test("a reader that pauses blocks nothing, and gets every line when it continues", async () => {
  const output = new LogOutput(pipe);
  for (let number = 0; number < 500; number++) output.write(line(number));
  output.flush();
  let read = "";
  while (!read.includes('"number":499')) {
    read += readAll();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(read).toBe(Array.from({ length: 500 }, (_, number) => line(number)).join(""));
});

test("the buffer for a slow reader is limited, and dropped lines are counted", async () => {
  const output = new LogOutput(pipe, 200_000);
  for (let number = 0; number < 500; number++) output.write(line(number));
  let read = "";
  while (!read.includes("log lines dropped")) {
    read += readAll();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const lines = read.trimEnd().split("\n").map((text) => JSON.parse(text));
  const { count, ...last } = lines.pop();
  expect(last).toMatchObject({ level: "warn", message: "log lines dropped: the reader is too slow" });
  expect(lines.map(({ number }) => number)).toEqual(Array.from({ length: 500 - count }, (_, number) => number));
});

test("close waits for a slow reader up to its time limit, and not for a closed one", () => {
  const output = new LogOutput(pipe);
  for (let number = 0; number < 500; number++) output.write(line(number));
  output.close(30);
  expect(readAll().length).toBeGreaterThan(0);

  const gone = new LogOutput(openSync("/dev/full", "w"));
  gone.write(line(1));
  gone.close(60_000);
});
