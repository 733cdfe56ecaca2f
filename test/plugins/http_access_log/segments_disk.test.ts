import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { mkdtemp, rm, rmdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { LogPage } from "../../../plugins/http_access_log/log_store.ts";
import { wholeDay } from "./filters.ts";
import { BATCH_ROWS, crashBatch } from "./segments_crash.ts";
import { SegmentRig } from "./segments_rig.ts";

const MIB = 1024 * 1024;

/** Whether a file system of its own size can be had here. */
function canMount(): boolean {
  const place = mkdtempSync(join(tmpdir(), "edgehelm-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", place], { stdio: "ignore" });
    execFileSync("umount", [place]);
    return true;
  } catch {
    console.warn("SKIPPED: no tmpfs can be mounted here, so the full disk of access logs is not tested");
    return false;
  }
}

test.skipIf(!canMount())("on a full disk logs are refused and found, and it recovers by itself", async () => {
  const place = await mkdtemp(join(tmpdir(), "edgehelm-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", place]);
  try {
    await using rig = await SegmentRig.open({ generationRows: 4000, retryTime: 50 }, join(place, "logs"));
    const filler = join(place, "filler");
    await writeFile(filler, new Uint8Array(5 * MIB));
    const kept = new Set<number>();
    const appendUntilRefused = async () => {
      for (let number = kept.size;; number++) {
        await rig.store.append(rig.call(), crashBatch(number));
        kept.add(number);
      }
    };
    await expect(appendUntilRefused()).rejects.toMatchObject({
      kind: "unavailable",
      message: expect.stringMatching(/access logs cannot be (kept|sealed): .*no space left/i),
    });
    expect(kept.size).toBeGreaterThan(0);
    expect(await countOf(rig)).toBe(kept.size * BATCH_ROWS);
    await rm(filler);
    const next = kept.size;
    await vi.waitFor(() => rig.store.append(rig.call(), crashBatch(next)), { timeout: 20_000, interval: 50 });
    expect(await countOf(rig)).toBe((next + 1) * BATCH_ROWS);
    await rig.reopen();
    expect(await countOf(rig)).toBe((next + 1) * BATCH_ROWS);
  } finally {
    execFileSync("umount", [place]);
    await rmdir(place);
  }
}, 120_000);

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
