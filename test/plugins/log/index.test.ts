import { mkdir, rm } from "node:fs/promises";
import { type Call, definePlugin } from "edgehelm";
import { beforeEach, describe, expect, test } from "vitest";
import { migrations } from "../../../plugins/log/migrations/mod.ts";
import plugin from "../../../plugins/log/plugin.ts";
import type { Tables } from "../../../plugins/log/store.ts";
import {
  admin,
  catchUp,
  clock,
  count,
  DAY,
  directory,
  edgehelm,
  indexedCount,
  list,
  number,
  open,
  ran,
  rpc,
  START,
  write,
} from "./search_rig.ts";

describe("deleted logs leave the index", () => {
  beforeEach(async () => {
    await write(Array.from({ length: 30 }, (_, at) => ({ description: `old needle ${at}` })));
    clock.advance(3 * DAY);
    await write(Array.from({ length: 20 }, (_, at) => ({ description: `new needle ${at}` })));
    await catchUp();
    await write([{ description: "not indexed needle" }]);
    expect(await indexedCount()).toBe(50);
  });

  const inIndex = () => number(`select count(*) from logs_search where logs_search match '"nee"'`);

  test.each([
    ["by id", 50, async () => {
      const [, newest] = await list({ size: 2n });
      await edgehelm.call(admin, rpc.deleteLogPermanently, { logId: newest!.id });
    }],
    ["by ids", 45, async () => {
      const logIds = (await list({ size: 6n })).map(({ id }) => id);
      await edgehelm.call(admin, rpc.deleteLogsPermanently, { logIds: [...logIds, 9999n] });
    }],
    ["by age", 21, async () => {
      await edgehelm.call(admin, rpc.cleanLogsPermanently, { days: 2 });
    }],
    ["all", 0, async () => {
      await edgehelm.call(admin, rpc.cleanLogsPermanently, { clearAll: true });
    }],
  ])("%s", async (_title, remaining, remove) => {
    await remove();
    await catchUp();
    expect([await indexedCount(), await inIndex()]).toEqual([remaining, remaining]);
    expect(await count({ keyword: "NEEDLE" })).toBe(await count({}));
    await write([{ description: "a later needle" }]);
    await catchUp();
    expect(await indexedCount()).toBe(await number("select count(*) from logs"));
    expect((await list({ keyword: "later needle" })).map(({ description }) => description)).toEqual(["a later needle"]);
  });

  test("without a rewrite of the index, which would block writers", async () => {
    expect(await number("select v from logs_search_config where k = 'deletemerge'")).toBe(0);
  });
});

describe("the job", () => {
  test("indexes the logs of an older installation, in batches between which other writes run", async () => {
    await edgehelm.stop();
    await rm(directory, { recursive: true });
    await mkdir(directory);
    const older = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < "0003"));
    await open(definePlugin({
      manifest: {
        ...plugin.manifest,
        services: [],
      },
      migrations: older,
      setup({ db, every }) {
        const row = { level: "info", action: "/a", ip: "", adminId: 1n, userId: 0n, createdAt: BigInt(START) };
        const run = (call: Call) =>
          call.transact(async (inner) => {
            const rows = Array.from({ length: 1700 }, (_, at) => ({ ...row, description: `older log ${at}` }));
            for (let from = 0; from < rows.length; from += 850) {
              await db<Tables>()(inner).insertInto("logs").values(rows.slice(from, from + 850)).execute();
            }
          });
        every({ name: "fill", everySeconds: DAY, run });
      },
    }));
    await edgehelm.kernel.runJob("log.fill");
    await edgehelm.stop();

    await open();
    await write([{ description: "newer log" }]);
    for (const inIndex of [0, 1701]) {
      expect(await indexedCount()).toBe(inIndex);
      expect(await count({ keyword: "OLDER LOG" })).toBe(1700n);
      expect((await list({ keyword: "log", size: 2n })).map(({ description }) => description))
        .toEqual(["newer log", "older log 1699"]);
      expect((await list({ keyword: "older log 77" })).length).toBe(11);
      ran.length = 0;
      await catchUp();
    }
    await catchUp();
    expect(await indexedCount()).toBe(1701);
    // The last run of the job had nothing to do.
    expect(ran.filter(({ sql }) => sql.startsWith('insert into "logs_search"'))).toEqual([]);
  });

  test("writes small batches, and resumes where it stopped", async () => {
    await write(Array.from({ length: 1200 }, (_, at) => ({ description: `log ${at}` })));
    ran.length = 0;
    await catchUp();
    expect(ran.filter(({ sql }) => sql.startsWith('insert into "logs_search"')).map(({ parameters }) => parameters))
      .toEqual([[0n, 500n, 500n], [500n, 1000n, 500n], [1000n, 1200n, 500n]]);
    await edgehelm.call(admin, rpc.cleanLogsPermanently, { clearAll: true });
    await write([{ description: "one more" }]);
    await catchUp();
    expect(await indexedCount()).toBe(1);
    expect(await number("select indexedId from logs_searchState")).toBe(1201);
  });
});
