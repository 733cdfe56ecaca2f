import type { Call } from "edgehelm";
import { TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openRemoteEngine } from "../../../core/storage/remote/engine.ts";
import type { NodeLinks } from "../../../plugins/node_base/contract.ts";
import nodeBase from "../../../plugins/node_base/plugin.ts";
import { temporarySqld } from "../../core/storage/engines.ts";
import { type Sqld, sqldRuns } from "../../servers/sqld.ts";
import { connectNode, nodesPlugin } from "./rig.ts";

describe.skipIf(!sqldRuns())("streams of nodes on two instances", () => {
  const clocks = [new TestClock(), new TestClock()] as const;
  const events: string[][] = [[], []];
  const links: NodeLinks[] = [];
  const kernels: TestKernel[] = [];
  let sqld: Sqld;
  beforeAll(async () => {
    sqld = await temporarySqld();
    for (const index of [0, 1]) kernels.push(await startInstance(index));
  });
  afterAll(() => Promise.all(kernels.map((kernel) => kernel[Symbol.asyncDispose]())));
  beforeEach(() => events.forEach((lines) => lines.length = 0));

  async function startInstance(index: number): Promise<TestKernel> {
    const plugin = nodesPlugin(events[index]!, (own) => links[index] = own);
    const engine = await openRemoteEngine({ url: sqld.url });
    return await testKernel({ plugins: [nodeBase, plugin], clock: clocks[index]!, engine });
  }

  const connect = (instance: number, id: bigint) => connectNode(kernels[instance]!, id);

  const call = (instance: number): Call => kernels[instance]!.kernel.systemCall("test");
  const ask = (instance: number, id: bigint, milliseconds = 5000) =>
    links[instance]!.ask(call(instance), id, { code: "check", dataJSON: new Uint8Array([1]) }, milliseconds);

  test("a command from either instance reaches the node, and its response is returned", async () => {
    const node = await connect(0, 1n);
    for (const instance of [0, 1]) {
      const response = ask(instance, 1n);
      const { text, number } = (await node.next())!;
      expect(text).toBe("check");
      await node.send(`done for ${instance}`, number);
      expect(await response).toMatchObject({ isOk: true, message: `done for ${instance}` });
    }
    expect(await ask(1, 1n, 300)).toMatchObject({ isOk: false, message: "response timeout over 1 seconds" });
    expect(await ask(1, 2n)).toMatchObject({ isOk: false, message: "node '2' not connected yet" });
    const waiting = ask(1, 1n);
    await node.next();
    await node.next();
    await node.finish();
    expect(await waiting).toMatchObject({ isOk: false, message: "node '1' disconnected" });
  });

  test("commands go to the instance to which a node has reconnected", async () => {
    const old = await connect(0, 3n);
    clocks.forEach((clock) => clock.advance(1));
    const here = await connect(1, 3n);
    const response = ask(0, 3n);
    await here.send("here", (await here.next())!.number);
    expect(await response).toMatchObject({ isOk: true, message: "here" });
    await old.finish();
    expect(events.flat()).not.toContain("3 disconnected");
    await here.finish();
    expect(events[1]).toContain("3 disconnected");
  });

  test("an instance without a heartbeat loses its nodes, and closes their streams when it resumes", async () => {
    const node = await connect(0, 4n);
    clocks[1].advance(11);
    expect(await ask(1, 4n)).toMatchObject({ isOk: false, message: "node '4' not connected yet" });
    await kernels[1]!.kernel.runJob("node_base.sweep_streams");
    expect(events).toEqual([["4 connected"], ["4 disconnected"]]);
    const next = node.next();
    clocks[0].advance(11);
    expect(await next).toBeUndefined();
    expect(events).toEqual([["4 connected"], ["4 disconnected"]]);
  });

  test("an instance with a heartbeat keeps its nodes", async () => {
    const node = await connect(0, 5n);
    for (let beat = 0; beat < 4; beat++) {
      clocks.forEach((clock) => clock.advance(3));
      // The heartbeat writes in the background, so wait until the node is reachable.
      await expect.poll(async () => {
        await kernels[1]!.kernel.runJob("node_base.sweep_streams");
        return (await ask(1, 5n, 200)).message;
      }).toBe("response timeout over 1 seconds");
    }
    expect(events[1]).toEqual([]);
    await node.finish();
  });

  test("an instance that stops reports its nodes as disconnected", async () => {
    const ownEvents: string[] = [];
    const clock = new TestClock(clocks[1].now());
    const engine = await openRemoteEngine({ url: sqld.url });
    const plugin = nodesPlugin(ownEvents, (own) => links[2] = own);
    kernels.push(await testKernel({ plugins: [nodeBase, plugin], clock, engine }));
    const node = await connect(2, 6n);
    const ended = node.next().catch(() => undefined);
    kernels[2]!.kernel.endLongWork(1000);
    await kernels.pop()!.stop();
    await ended;
    expect(ownEvents).toEqual(["6 connected", "6 disconnected"]);
    expect(await ask(1, 6n)).toMatchObject({ message: "node '6' not connected yet" });
  });
});
