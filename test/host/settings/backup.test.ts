import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readSettings } from "../../../core/host/settings/settings.ts";

let directory: string;
let manifest: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "edgehelm-settings-"));
  manifest = join(directory, "manifest.json");
  process.env["TEST_S3_SECRET"] = "hidden";
});
afterEach(async () => {
  delete process.env["TEST_S3_SECRET"];
  await rm(directory, { recursive: true, force: true });
});

const s3 = { accessKeyId: "id", secretAccessKey: "env:TEST_S3_SECRET" };

async function read(backup: object) {
  await writeFile(manifest, JSON.stringify({ backup, plugins: [] }));
  return (await readSettings({ EDGEHELM_MANIFEST: manifest })).backup;
}

test("a folder is relative to the manifest, and the numbers have defaults", async () => {
  expect(await read({ to: "backups" })).toEqual({
    place: { kind: "folder", path: join(directory, "backups") },
    ...{ everyHours: 24, maxAgeHours: 48, keepLast: 3, keepDaily: 7, keepWeekly: 4, checkDays: 7 },
  });
});

test("a bucket has an address, a path and credentials", async () => {
  expect(await read({ to: "s3://my-bucket/a/b/", s3: { ...s3, region: "eu-central-1" } })).toMatchObject({
    place: {
      ...{ kind: "s3", bucket: "my-bucket", prefix: "a/b", region: "eu-central-1", secretAccessKey: "hidden" },
      endpoint: "https://s3.eu-central-1.amazonaws.com",
    },
  });
  expect(await read({ to: "s3://my-bucket", s3: { ...s3, endpoint: "http://127.0.0.1:9000" } })).toMatchObject({
    place: { endpoint: "http://127.0.0.1:9000", prefix: "", region: "us-east-1" },
  });
});

test.each([
  [{}, 'backup.to: must be the path of a folder or begin with s3://, got ""'],
  [{ to: "ftp://x" }, 'backup.to: must be the path of a folder or begin with s3://, got "ftp://x"'],
  [{ to: "a", s3 }, 'backup.s3: is for backups to s3://, but backup.to is "a"'],
  [{ to: "s3://bucket" }, 'backup.s3: is missing: backup.to is "s3://bucket"'],
  [{ to: "s3://Bucket", s3 }, "backup.to: must be s3://bucket or s3://bucket/path"],
  [{ to: "s3://bucket/../x", s3 }, 'got "s3://bucket/../x"'],
  [{ to: "s3://bucket", s3: { ...s3, secretAccessKey: "plain" } }, "backup.s3.secretAccessKey: must be a reference"],
  [{ to: "s3://bucket", s3: { ...s3, accessKeyId: "" } }, "backup.s3.accessKeyId: is missing"],
  [{ to: "s3://bucket", s3: { ...s3, region: "EU west" } }, "backup.s3.region: must be the name of a region"],
  [{ to: "s3://bucket", s3: { ...s3, endpoint: "https://x/y" } }, "backup.s3.endpoint: must be https://host"],
  [{ to: "a", everyHours: 0 }, "backup.everyHours: must be 1 to 168, got 0"],
  [{ to: "a", everyHours: 169 }, "backup.everyHours: must be 1 to 168, got 169"],
  [{ to: "a", keepLast: 0 }, "backup.keepLast: must be 1 to 1000, got 0"],
  [{ to: "a", checkDays: 32 }, "backup.checkDays: must be 1 to 31, got 32"],
  [{ to: "a", maxAgeHours: 24 }, "backup.maxAgeHours: must be more than everyHours, 24, got 24"],
])("%j is refused", async (backup, message) => {
  await expect(read(backup)).rejects.toThrow(message);
});

test("a remote database cannot be backed up on a schedule", async () => {
  const { backupWork } = await import("../../../core/host/backup/scheduled/backup_work.ts");
  const { noMetrics } = await import("../../../core/base/metrics.ts");
  const { createLogger } = await import("../../../core/base/log.ts");
  await read({ to: "backups" });
  const settings = await readSettings({
    EDGEHELM_MANIFEST: manifest,
    EDGEHELM_DATABASE_URL: "libsql://db.example.com",
  });
  const clock = { now: () => 0 };
  const log = createLogger({ level: "silent", write() {}, clock });
  expect(() => backupWork(settings, clock, log, noMetrics)).toThrow("db.example.com is remote");
});
