import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Call, definePlugin } from "edgehelm";
import { as, testKernel } from "edgehelm/testing";
import { expect, onTestFinished, test } from "vitest";
import { migrations } from "../../../plugins/log/migrations/mod.ts";
import plugin from "../../../plugins/log/plugin.ts";
import { LogService } from "../../../plugins/log/proto/service_log_pb.ts";
import type { Tables } from "../../../plugins/log/store.ts";

const { countLogs, deleteLogPermanently, listLogs, sumLogsSize } = LogService.method;
const admin = as.admin();
const START = 1_800_000_000;
const DAY = 86_400;

test("logs of the version before the declared list have the same lists, counts and size", async () => {
  const directory = await mkdtemp(join(tmpdir(), "edgehelm-test-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const rows = Array.from({ length: 2500 }, (_, index) => ({
    level: ["info", "info", "warn", "error"][index % 4]!,
    action: `/${index % 50}`,
    description: `${["bread", "butter"][index % 2]} ${index}`,
    ip: "192.0.2.1",
    adminId: index % 3 === 0 ? 1n : 0n,
    userId: index % 3 === 0 ? 0n : 7n,
    createdAt: BigInt(START + Math.floor(index / 500) * DAY),
  }));
  const before = definePlugin({
    manifest: { ...plugin.manifest, services: [] },
    migrations: Object.fromEntries(Object.entries(migrations).filter(([name]) => name < "0004")),
    setup({ db, every }) {
      const run = (call: Call) =>
        call.transact(async (inner) => {
          for (let from = 0; from < rows.length; from += 500) {
            await db<Tables>()(inner).insertInto("logs").values(rows.slice(from, from + 500)).execute();
          }
          await db<Tables>()(inner).deleteFrom("logs").where("id", "in", (q) =>
            q.selectFrom("logs").select("id").orderBy("id").limit(100)).execute();
        });
      every({ name: "fill", everySeconds: DAY, run });
    },
  });
  const old = await testKernel({ plugins: [before], directory });
  await old.kernel.runJob("log.fill");
  await old.stop();

  await using edgehelm = await testKernel({ plugins: [plugin], directory });
  const remaining = rows.map((row, index) => ({ ...row, id: BigInt(index + 1) })).slice(100);
  const dayOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);
  const secondDay = START + DAY;
  for (const level of ["", "error"]) {
    for (const userType of ["", "user", "admin"]) {
      for (const dayFrom of ["", dayOf(secondDay)]) {
        for (const keyword of ["", "bread", "er 17"]) {
          const filter = { source: "log", level, userType, dayFrom, keyword };
          const ids = remaining.filter((row) =>
            (level === "" || row.level === level) && (userType === "" || (row.userId > 0n) === (userType === "user")) &&
            (dayFrom === "" || row.createdAt >= secondDay) && row.description.includes(keyword)
          ).map(({ id }) => id).reverse();
          const { count } = await edgehelm.call(admin, countLogs, filter);
          const offset = Math.max(0, ids.length - 7);
          const { logs } = await edgehelm.call(admin, listLogs, { ...filter, offset: BigInt(offset), size: 10n });
          expect({ filter, count, ids: logs.map(({ id }) => id) })
            .toEqual({ filter, count: BigInt(ids.length), ids: ids.slice(offset) });
        }
      }
    }
  }
  const bytesOf = (row: (typeof rows)[number]) => BigInt(64 + (row.action + row.description + row.ip).length);
  const size = remaining.reduce((sum, row) => sum + bytesOf(row), 0n);
  expect((await edgehelm.call(admin, sumLogsSize, {})).sizeBytes).toBe(size);
  await edgehelm.call(admin, deleteLogPermanently, { logId: 101n });
  expect((await edgehelm.call(admin, sumLogsSize, {})).sizeBytes).toBe(size - bytesOf(remaining[0]!));
  expect((await edgehelm.call(admin, countLogs, { source: "log" })).count).toBe(2399n);
});
