import { definePlugin } from "edgehelm";
import { as } from "edgehelm/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { NSNodeFeeds } from "../../../plugins/ns_node/contract.ts";
import { admin, clusterOf, nodeKernel, openStream, parsed, rpc } from "./rig.ts";

/** No test lasts this long. */
const NEVER_MILLISECONDS = 86_400_000;

let rig: Awaited<ReturnType<typeof nodeKernel>>;
let version = 1n;
let reads = 0;
/** Holds up a read of the version until it is called. */
let release: (() => void) | undefined;
let holdsNext = false;
const listeners: (() => void)[] = [];

const feeder = definePlugin({
  manifest: {
    name: "feeder",
    version: "1.0.0",
    kernel: "^1",
    services: [],
    tables: [],
    contributes: ["ns_node.feeds"],
  },
  setup: ({ contribute }) =>
    contribute(NSNodeFeeds, {
      type: "thingChanged",
      async latestVersion() {
        reads++;
        const read = version;
        if (holdsNext) await new Promise<void>((resolve) => ([holdsNext, release] = [false, resolve]));
        return read;
      },
      onChange: (listener) => void listeners.push(listener),
    }),
});

beforeAll(async () => {
  rig = await nodeKernel([], [feeder], NEVER_MILLISECONDS);
});
afterAll(() => rig.edgehelm[Symbol.asyncDispose]());

function change(): void {
  version++;
  for (const listener of listeners) listener();
}

async function connect(name: string) {
  const { edgehelm } = rig;
  const nodeClusterId = await clusterOf(edgehelm);
  const { nsNodeId } = await edgehelm.call(admin, rpc.createNSNode, { name, nodeClusterId });
  const stream = openStream(edgehelm, await edgehelm.token(as.dns(nsNodeId)));
  expect(await stream.next()).toMatchObject({ code: "connectedAPINode" });
  const news = async () => parsed((await stream.next())!.dataJSON);
  return { ...stream, news };
}

test("a change by this instance reaches connected nodes before the next poll", async () => {
  const [one, two] = [await connect("one"), await connect("two")];
  const waiting = [one.news(), two.news()];
  change();
  expect(await Promise.all(waiting)).toEqual([{ types: ["thingChanged"] }, { types: ["thingChanged"] }]);
  one.abort();
  two.abort();
});

test("many changes in a row are few polls, and the last one is not missed", async () => {
  const node = await connect("busy");
  const waiting = node.news();
  const before = reads;
  for (let count = 0; count < 1000; count++) change();
  await waiting;
  expect(reads - before).toBeLessThan(5);
  // a change after a poll has read the version, and before that poll is over
  holdsNext = true;
  const next = node.news();
  change();
  await expect.poll(() => release).toBeDefined();
  change();
  const held = reads;
  release!();
  await next;
  const last = node.news();
  await expect.poll(() => reads).toBeGreaterThan(held);
  expect(await last).toEqual({ types: ["thingChanged"] });
  node.abort();
});

test("without connected nodes a change costs no poll", async () => {
  const node = await connect("gone");
  node.abort();
  await expect.poll(async () => {
    const before = reads;
    change();
    await new Promise((resolve) => setTimeout(resolve, 50));
    return reads - before;
  }).toBe(0);
});
