import { chown, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { expect, onTestFinished, test } from "vitest";
import { PrivateKeys } from "../../../../plugins/ns_dnssec/keys.ts";
import { keyIdOf, Keymgr } from "../../../../plugins/ns_node/agent/knot/keymgr.ts";
import { knotRuns } from "../../../servers/knot.ts";

const NOBODY = 65_534;
const makers = new PrivateKeys({ seal: (text) => Promise.resolve(text), open: (text) => Promise.resolve(text) });

async function keymgrOf(owner: number) {
  const folder = await mkdtemp(join(tmpdir(), "edgehelm-keymgr-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const name of ["state", "db"]) await mkdir(join(folder, name));
  const socket = join(folder, "knot.sock");
  await writeFile(socket, "");
  if (owner !== process.getuid!()) await chown(socket, owner, owner);
  await writeFile(join(folder, "state", "import.pem"), "left by an agent that was killed");
  const keymgr = new Keymgr({ program: "/usr/sbin/keymgr", stateDirectory: join(folder, "state"), socket });
  keymgr.use(join(folder, "db", "keys"));
  return { folder, keymgr };
}

const keyOf = async () => {
  const { role, privateKey } = await makers.make("KSK", []);
  return { ...{ role, privateKey, algorithm: 13 }, publishAt: 10, activeAt: 20, retireAt: 0, removeAt: 0 };
};

test.skipIf(!knotRuns())("keys are stored with their times, which change and end, and leave no copies", async () => {
  const { folder, keymgr } = await keymgrOf(process.getuid!());
  expect(await readdir(join(folder, "state"))).toEqual([]);
  expect(await keymgr.zones()).toEqual(new Set());
  const key = await keyOf();
  await keymgr.put("a.test", key, undefined);
  expect(await keymgr.zones()).toEqual(new Set(["a.test"]));
  const [stored, ...others] = await keymgr.list("a.test");
  expect(others).toEqual([]);
  expect(stored).toMatchObject({ id: keyIdOf(key), publish: 10, active: 20, retire: 0, remove: 0 });
  await keymgr.put("a.test", { ...key, retireAt: 30, removeAt: 40 }, stored);
  expect(await keymgr.list("a.test")).toMatchObject([{ active: 20, retire: 30, remove: 40 }]);
  await keymgr.put("a.test", key, stored);
  expect(await keymgr.list("a.test")).toMatchObject([{ retire: 0, remove: 0 }]);
  await keymgr.delete("a.test", keyIdOf(key));
  expect(await keymgr.zones()).toEqual(new Set());
  expect(await readdir(join(folder, "state"))).toEqual([]);
  await expect(keymgr.put("a.test", { ...key, privateKey: "not a key" }, undefined)).rejects.toThrow(
    /keymgr a.test import/,
  );
  expect(await readdir(join(folder, "state"))).toEqual([]);
});

test.skipIf(!knotRuns() || process.getuid?.() !== 0)("what root writes belongs to the user of Knot", async () => {
  const { folder, keymgr } = await keymgrOf(NOBODY);
  await keymgr.put("a.test", await keyOf(), undefined);
  const kasp = join(folder, "db", "keys");
  const names = await readdir(kasp, { recursive: true });
  expect(names).toHaveLength(4);
  for (const name of [".", ...names]) {
    const { uid, gid } = await stat(join(kasp, name));
    expect([name, uid, gid]).toEqual([name, NOBODY, NOBODY]);
  }
});
