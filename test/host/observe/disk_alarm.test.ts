import { expect, test } from "vitest";
import { diskSource, type Space } from "../../../core/host/observe/disk_alarm.ts";

const GIB = 1024 ** 3;
const none = new Set<string>();
const begun = new Set(["/data"]);

/** Returns the subjects that are found for a disk. */
async function found(space: Space, known: ReadonlySet<string> = none): Promise<string[]> {
  const source = diskSource("/data", () => Promise.resolve(space));
  return (await source.find({} as never, known))!.map(({ subject }) => subject);
}

test("a disk with less than a tenth and less than 10 GiB left is nearly full", async () => {
  expect(await found({ free: 1.9 * GIB, total: 20 * GIB })).toEqual(["/data"]);
  expect(await found({ free: 2 * GIB, total: 20 * GIB })).toEqual([]);
  expect(await found({ free: 9 * GIB, total: 1000 * GIB })).toEqual(["/data"]);
  expect(await found({ free: 11 * GIB, total: 1000 * GIB })).toEqual([]);
});

test("it ends with a fifth more than that, so that it does not begin and end all the time", async () => {
  expect(await found({ free: 2.3 * GIB, total: 20 * GIB }, begun)).toEqual(["/data"]);
  expect(await found({ free: 2.4 * GIB, total: 20 * GIB }, begun)).toEqual([]);
});

test("the space of a directory of this machine can be read", async () => {
  expect(await diskSource("/").find({} as never, none)).toBeInstanceOf(Array);
});
