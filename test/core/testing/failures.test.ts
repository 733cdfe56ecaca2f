import { as, TestClock, TestFailures, type TestKernel, testKernel } from "edgehelm/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ProbeService } from "../../fixtures/probe/proto/probe_pb.ts";
import { insertProbe, probePlugin, probes } from "../probe.ts";

const { change, look } = ProbeService.method;

const plugin = probePlugin((db, { every }) => {
  every({
    name: "mark",
    everySeconds: 60,
    run: (call) => call.transact((inner) => insertProbe(db, inner, "job")),
  });
  return {
    async change({ text }, call) {
      await insertProbe(db, call, `${text} 1`);
      await insertProbe(db, call, `${text} 2`);
      return {};
    },
    look: async (_request, call) => ({ text: (await probes(db, call)).join(", ") }),
  };
});

let failures: TestFailures;
let edgehelm: TestKernel;
beforeEach(async () => {
  failures = new TestFailures();
  edgehelm = await testKernel({ plugins: [plugin], clock: new TestClock(), failures });
});
afterEach(() => edgehelm[Symbol.asyncDispose]());

const changes = (text: string) => edgehelm.call(as.admin(), change, { text });
const stored = async () => (await edgehelm.call(as.admin(), look, {})).text;

test.each([1, 2])("statement %i fails once, and the whole transaction with it", async (n) => {
  failures.failStatement(n);
  await expect(changes("a")).rejects.toMatchObject({ code: 500 });
  expect(await stored()).toBe("");
  await changes("b");
  expect(await stored()).toBe("b 1, b 2");
});

test("a commit fails once, and the whole transaction with it", async () => {
  failures.failCommit();
  await expect(changes("a")).rejects.toMatchObject({ code: 500 });
  expect(await stored()).toBe("");
  await changes("b");
  expect(await stored()).toBe("b 1, b 2");
});

test("a job throws once, and runs the next time", async () => {
  failures.failJob("probe.mark");
  await edgehelm.kernel.runJob("probe.mark");
  expect(await stored()).toBe("");
  await edgehelm.kernel.runJob("probe.mark");
  expect(await stored()).toBe("job");
});
