import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { mkdtemp, rm, rmdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { LogPage } from "../../../plugins/http_access_log/contract/log_store.ts";
import { wholeDay } from "../http_access_log/stores/filters.ts";
import { BATCH_ROWS, crashBatch } from "./batches.ts";
import { SegmentRig } from "./rig.ts";
import { reportMissing } from "../../harness/needs.ts";

const MIB = 1024 * 1024;

/** Returns true if the test can mount a file system of limited size. */
function canMount(): boolean {
  const mountPoint = mkdtempSync(join(tmpdir(), "edgehelm-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", mountPoint], { stdio: "ignore" });
    execFileSync("umount", [mountPoint]);
    return true;
  } catch {
    reportMissing("the right to mount file systems");
    return false;
  }
}

test.skipIf(!canMount())("refuses logs on a full disk, still finds stored ones, and recovers", async () => {
  const mountPoint = await mkdtemp(join(tmpdir(), "edgehelm-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", mountPoint]);
  try {
    await using rig = await SegmentRig.open({ generationRows: 4000, retryTime: 50 }, join(mountPoint, "logs"));
    const filler = join(mountPoint, "filler");
    await writeFile(filler, new Uint8Array(5 * MIB));
    const acknowledged = new Set<number>();
    const appendUntilRefused = async () => {
      for (let number = acknowledged.size;; number++) {
        await rig.store.append(rig.call(), crashBatch(number));
        acknowledged.add(number);
      }
    };
    await expect(appendUntilRefused()).rejects.toMatchObject({
      kind: "unavailable",
      message: expect.stringMatching(/cannot (write|seal) access logs: .*no space left/i),
    });
    expect(acknowledged.size).toBeGreaterThan(0);
    expect(await countOf(rig)).toBe(acknowledged.size * BATCH_ROWS);
    await rm(filler);
    const next = acknowledged.size;
    await vi.waitFor(() => rig.store.append(rig.call(), crashBatch(next)), { timeout: 300_000, interval: 50 });
    expect(await countOf(rig)).toBe((next + 1) * BATCH_ROWS);
    await rig.reopen();
    expect(await countOf(rig)).toBe((next + 1) * BATCH_ROWS);
  } finally {
    execFileSync("umount", [mountPoint]);
    await rmdir(mountPoint);
  }
});

async function countOf(rig: SegmentRig): Promise<number> {
  const ids = new Set<string>();
  for (let cursor = "";;) {
    const page: LogPage = { cursor, oldestFirst: false, size: 1000, withBodies: false };
    const { entries } = await rig.store.list(rig.call(), wholeDay(), page);
    for (const { requestId } of entries) ids.add(requestId);
    if (entries.length < page.size) return ids.size;
    cursor = entries.at(-1)!.requestId;
  }
}
