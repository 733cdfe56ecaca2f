import { Buffer } from "node:buffer";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Timers } from "../../../core/base/clock.ts";
import { backupName } from "../../../core/host/backup/format/names.ts";
import { FolderStore } from "../../../core/host/backup/stores/folder_store.ts";
import { S3Store } from "../../../core/host/backup/stores/s3_store.ts";
import type { BackupStore } from "../../../core/host/backup/stores/store.ts";
import { s3Kinds, S3Server } from "../../servers/s3.ts";

const MIB = 1024 * 1024;
/** S3 accepts no smaller parts, except the last. */
const PART_BYTES = 5 * MIB;
const signal = new AbortController().signal;
const ID = "8b0e5b2c-1f0c-4d55-9a3e-0f7b0a3f9d11";
const nameAt = (day: number) => backupName(ID, Date.UTC(2026, 2, day));
/** Repeats requests at once. */
const impatient: Timers = {
  after(milliseconds, act) {
    if (milliseconds > 10_000) return () => {};
    act();
    return () => {};
  },
};

let directory: string;
beforeEach(async () => directory = await mkdtemp(join(tmpdir(), "edgehelm-stores-")));
afterEach(() => rm(directory, { recursive: true, force: true }));

async function* content(bytes: number, failAt = Infinity) {
  for (let at = 0; at < bytes; at += 1000) {
    if (at >= failAt) throw new Error("the disk failed");
    yield new Uint8Array(Math.min(1000, bytes - at)).fill(at / 1000 & 255);
  }
}

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk.slice());
  return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
}

/** Checks the behaviour of every store. */
async function keepsBackups(store: BackupStore, sizes: readonly number[]): Promise<void> {
  expect(await store.list(signal)).toEqual([]);
  for (const [index, bytes] of sizes.entries()) {
    const name = nameAt(index + 1);
    await store.put(name, bytes, content(bytes), signal);
    const stored = await store.get(name, signal);
    expect(stored.bytes).toBe(bytes);
    // not toEqual, which compares byte by byte
    expect(Buffer.compare(await bytesOf(stored.chunks), await bytesOf(content(bytes)))).toBe(0);
  }
  const listed = await store.list(signal);
  expect(listed.toSorted((one, other) => one.name < other.name ? -1 : 1)).toEqual(
    sizes.map((bytes, index) => ({ name: nameAt(index + 1), bytes })),
  );
  await store.remove(nameAt(1), signal);
  await store.remove(nameAt(1), signal);
  expect(await store.list(signal)).toHaveLength(sizes.length - 1);
  await expect(store.get(nameAt(1), signal)).rejects.toThrow(nameAt(1));
}

describe("a folder", () => {
  test("keeps backups that only its user can read, and lists no other files", async () => {
    const folder = join(directory, "backups");
    const store = new FolderStore(folder);
    await keepsBackups(store, [10, 2 * MIB]);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, nameAt(2)))).mode & 0o777).toBe(0o600);
    await writeFile(join(folder, "notes.txt"), "");
    expect((await store.list(signal)).map(({ name }) => name)).toEqual([nameAt(2)]);
  });

  test("shows nothing of a backup that was not written to its end", async () => {
    const store = new FolderStore(directory);
    await expect(store.put(nameAt(1), 9000, content(9000, 5000), signal)).rejects.toThrow("the disk failed");
    await expect(store.put(nameAt(1), 9000, content(8000), signal)).rejects.toThrow("has 8000 bytes, not 9000");
    expect(await readdir(directory)).toEqual([]);
  });

  test("is not created if the folder above it is missing, as that of a disk that is not mounted", async () => {
    const store = new FolderStore(join(directory, "disk", "backups"));
    await expect(store.put(nameAt(1), 10, content(10), signal)).rejects.toThrow("ENOENT");
  });
});

describe.each(s3Kinds())("a bucket of %s", (kind) => {
  let server: S3Server;
  beforeEach(async () => server = await S3Server.start(kind, directory));
  afterEach(() => server.stop());

  const place = (prefix = "") => {
    const { endpoint, region, accessKeyId, secretAccessKey, bucket } = server;
    return { endpoint, region, accessKeyId, secretAccessKey, bucket, prefix };
  };

  test("keeps backups, small ones in one piece and large ones in parts", async () => {
    await keepsBackups(new S3Store(place(), impatient, PART_BYTES), [10, PART_BYTES, PART_BYTES + 1, 3 * PART_BYTES]);
  });

  test("keeps those of different paths apart", async () => {
    const [one, other] = [new S3Store(place("one/deep"), impatient), new S3Store(place("other"), impatient)];
    await one.put(nameAt(1), 10, content(10), signal);
    expect(await other.list(signal)).toEqual([]);
    expect(await one.list(signal)).toEqual([{ name: nameAt(1), bytes: 10 }]);
  });

  test("shows nothing of an upload that failed", async () => {
    const store = new S3Store(place(), impatient, PART_BYTES);
    const bytes = 3 * PART_BYTES;
    await expect(store.put(nameAt(1), bytes, content(bytes, 2 * PART_BYTES), signal)).rejects.toThrow("disk failed");
    expect(await store.list(signal)).toEqual([]);
  });

  test("gives its own code for another secret and for an absent bucket", async () => {
    const store = new S3Store({ ...place(), secretAccessKey: "another" }, impatient);
    // s3rver accepts any well-formed signature of a PUT
    const put = store.put(nameAt(1), 10, content(10), signal);
    if (kind === "versitygw") await expect(put).rejects.toThrow("SignatureDoesNotMatch");
    else await put;
    await expect(new S3Store({ ...place(), bucket: "absent" }, impatient).list(signal)).rejects.toThrow("NoSuchBucket");
  });

  test("that does not respond is named, after more attempts", async () => {
    await server.stop();
    const store = new S3Store(place(), impatient);
    await expect(store.list(signal)).rejects.toThrow(`cannot reach the store ${server.endpoint}`);
  });
});
