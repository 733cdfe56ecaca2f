import { TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { LocalEngine } from "../../../core/host/sqlite/engine.ts";
import { TEST_DATABASE } from "../../harness/database.ts";
import { kernelErrors } from "../../../core/base/errors.ts";
import { createLogger } from "../../../core/base/log.ts";

let clock: TestClock;
let logged: string;
let edgehelm: TestKernel;
beforeEach(async () => {
  clock = new TestClock();
  logged = "";
  const log = createLogger({ level: "info", write: (line) => logged += line, clock });
  edgehelm = await testKernel({ plugins: [], clock, log });
});
afterEach(() => edgehelm[Symbol.asyncDispose]());

async function readyz(): Promise<string> {
  const response = await edgehelm.fetch(new Request("http://edgehelm.test/readyz"));
  return `${response.status} ${await response.text()}`;
}

/** Makes every write fail, as on a full disk. Returns a function that undoes it. */
function fillDisk(): () => void {
  const { engine } = edgehelm;
  const write = engine.write;
  engine.write = () => Promise.reject(kernelErrors.unavailable("database or disk is full"));
  return () => engine.write = write;
}

test.skipIf(TEST_DATABASE !== "file")(
  "/readyz checks once in two seconds that the database can be read and written",
  async () => {
    expect(await readyz()).toBe("200 ok\n");
    const { writer } = edgehelm.engine as LocalEngine;
    const { jobs } = writer;
    for (let count = 0; count < 50; count++) expect(await readyz()).toBe("200 ok\n");
    expect(writer.jobs).toBe(jobs);
    clock.advance(2);
    await readyz();
    expect(writer.jobs).toBe(jobs + 1);
  },
);

test("/readyz returns 503 while the disk is full, which is logged once, and recovers", async () => {
  const emptyDisk = fillDisk();
  for (let count = 0; count < 3; count++) {
    expect(await readyz()).toBe("503 not ready: the database is unavailable\n");
    clock.advance(2);
  }
  expect(logged.match(/database or disk is full/g)?.length).toBe(1);
  emptyDisk();
  expect(await readyz()).toBe("200 ok\n");
  expect(logged).toContain("ready again");
});

test("/readyz returns 503 while the database does not respond", async () => {
  edgehelm.engine.write = () => new Promise(() => {});
  const response = readyz();
  await new Promise((resolve) => setImmediate(resolve));
  clock.advance(2);
  expect(await response).toBe("503 not ready: the database is unavailable\n");
  expect(logged).toContain("the database did not respond in time");
});
