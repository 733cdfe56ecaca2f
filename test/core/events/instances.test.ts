import type { EmittedEvent } from "edgehelm/runtime";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openRemoteEngine } from "../../../core/storage/remote/engine.ts";
import type { ProbeRequest } from "../../fixtures/probe/proto/probe_pb.ts";
import { CuttingProxy } from "../../servers/cutting_proxy.ts";
import { Sqld, sqldRuns } from "../../servers/sqld.ts";
import { temporaryDirectory } from "../storage/engines.ts";
import { Bell } from "./bell.ts";

describe.skipIf(!sqldRuns())("two instances on one database", () => {
  let sqld: Sqld;
  let proxy: CuttingProxy;
  beforeAll(async () => {
    sqld = await Sqld.start(`${await temporaryDirectory()}/sqld`);
    proxy = await CuttingProxy.start(sqld.port);
  });
  afterAll(async () => {
    await proxy[Symbol.asyncDispose]();
    await sqld.kill();
  });

  const start = async (options: { readonly url?: string; readonly rings?: boolean } = {}) => {
    const { url = sqld.url, rings = true } = options;
    return await new Bell().start({ engine: await openRemoteEngine({ url }), rings });
  };
  const names = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

  test("each event takes effect once, while both emit and deliver", async () => {
    const [one, other] = [await start(), await start()];
    const handled: string[] = [];
    const note = ({ data }: EmittedEvent) => void handled.push((data as ProbeRequest).text);
    one.afterHeard = other.afterHeard = note;
    const rings = names("a", 12);
    await Promise.all(rings.map((text, index) => (index % 2 === 0 ? one : other).ring(text)));
    await expect.poll(async () => {
      await Promise.all([one.deliver(), other.deliver()]);
      return (await one.heard()).toSorted();
    }, { timeout: 20_000 }).toEqual(rings.toSorted());
    expect(handled.length).toBeGreaterThanOrEqual(rings.length);
    expect(one.logged("event not handled")).toEqual([]);
  });

  test("what one handles when it dies is undone and handled by the other", async () => {
    const dying = await start({ url: proxy.url });
    const other = await start();
    const before = await other.heard();
    const { promise: reached, resolve } = Promise.withResolvers<void>();
    const isMidway = ({ data }: EmittedEvent) => (data as ProbeRequest).text === "b1";
    dying.afterHeard = (event) => {
      if (!isMidway(event)) return;
      resolve();
      return new Promise(() => {});
    };
    other.afterHeard = () => Promise.reject(new Error("not its turn"));
    await dying.ring("b0", "b1", "b2");
    await reached;
    proxy.cutOff("refused");
    other.afterHeard = () => {};
    await expect.poll(async () => {
      other.clock.advance(1);
      await other.deliver();
      return await other.heard();
    }, { timeout: 30_000 }).toEqual([...before, "b0", "b1", "b2"]);
  }, 40_000);

  test("an event of a newer release is not lost to one that does not know it", async () => {
    const older = await start({ rings: false });
    const newer = await start();
    const before = await newer.heard();
    newer.afterHeard = () => Promise.reject(new Error("not its turn"));
    await newer.ring("c0", "c1");
    older.clock.advance(10);
    await older.deliver();
    newer.afterHeard = () => {};
    await expect.poll(async () => {
      newer.clock.advance(1);
      await newer.deliver();
      return await newer.heard();
    }, { timeout: 20_000 }).toEqual([...before, "c0", "c1"]);
  });
});
