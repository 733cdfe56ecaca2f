import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { generateKeyText, InstallationKey } from "../../core/auth/installation_key.ts";
import { loadInstallationKey } from "../../core/host/load/installation_key.ts";
import { StartupError } from "../../core/base/startup_error.ts";

let directory: string;
let dataDirectory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "edgehelm-key-"));
  dataDirectory = join(directory, "data");
});

afterEach(async () => {
  await rm(directory, { recursive: true });
});

function load(env: Record<string, string> = {}, remote = false) {
  return loadInstallationKey({ env, dataDirectory, remote });
}

async function idOf(text: string): Promise<string> {
  return (await InstallationKey.fromText(text, "test")).id;
}

async function mode(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}

describe("a configured installation key", () => {
  test("comes from EDGEHELM_KEY first, then from the file that EDGEHELM_KEY_FILE names", async () => {
    const [inVariable, inFile] = [generateKeyText(), generateKeyText()];
    const path = join(directory, "configured.key");
    await writeFile(path, `${inFile}\n`, { mode: 0o600 });
    const both = { EDGEHELM_KEY: inVariable, EDGEHELM_KEY_FILE: path };
    expect((await load(both)).key.id).toBe(await idOf(inVariable));
    const fromFile = await load({ EDGEHELM_KEY_FILE: path });
    expect(fromFile.key.id).toBe(await idOf(inFile));
    expect(fromFile.notices).toEqual([]);
  });

  test("works with a remote database, and no key file is created", async () => {
    const text = generateKeyText();
    expect((await load({ EDGEHELM_KEY: text }, true)).key.id).toBe(await idOf(text));
    expect(await readdir(directory)).toEqual([]);
  });

  test("that is empty or malformed stops the start without a fallback", async () => {
    const path = join(directory, "bad.key");
    await writeFile(path, "not a key\n", { mode: 0o600 });
    await expect(load({ EDGEHELM_KEY: "" })).rejects.toThrow(/^EDGEHELM_KEY must be an installation key/);
    await expect(load({ EDGEHELM_KEY_FILE: path })).rejects.toThrow(`EDGEHELM_KEY_FILE in "${path}" must be`);
    await expect(load({ EDGEHELM_KEY_FILE: path })).rejects.not.toThrow("not a key\n");
    expect(await readdir(directory)).toEqual(["bad.key"]);
  });

  test("whose file is missing stops the start with an error that names the path", async () => {
    const path = join(directory, "missing.key");
    const loading = load({ EDGEHELM_KEY_FILE: path });
    await expect(loading).rejects.toThrow(StartupError);
    await expect(loading).rejects.toThrow(`cannot read EDGEHELM_KEY_FILE from "${path}"`);
  });

  test.each([0o604, 0o640, 0o660])("that other users can read (mode %o) is used with a notice", async (permissions) => {
    const path = join(directory, "configured.key");
    await writeFile(path, generateKeyText());
    await chmod(path, permissions);
    expect((await load({ EDGEHELM_KEY_FILE: path })).notices).toEqual([
      `other users of this machine can read the key in "${path}"; run chmod 600`,
    ]);
  });
});

describe("the key file of a local database", () => {
  test("is created once, readable by its owner only, and reused", async () => {
    const path = join(dataDirectory, "installation.key");
    const first = await load();
    expect(first.notices).toEqual([expect.stringContaining(`created the installation key ${path}; keep a copy of it`)]);
    expect(await mode(path)).toBe(0o600);
    expect(await mode(dataDirectory)).toBe(0o700);
    expect(await readFile(path, "utf8")).toMatch(/^[A-Za-z0-9_-]{43}\n$/);
    const second = await load();
    expect(second.key.id).toBe(first.key.id);
    expect(second.notices).toEqual([]);
    expect(await readdir(dataDirectory)).toEqual(["installation.key"]);
  });

  test("is the same for all concurrent starts, and one of them creates it", async () => {
    const loaded = await Promise.all(Array.from({ length: 20 }, () => load()));
    expect(new Set(loaded.map(({ key }) => key.id)).size).toBe(1);
    expect(loaded.filter(({ notices }) => notices.length > 0)).toHaveLength(1);
    expect(await readdir(dataDirectory)).toEqual(["installation.key"]);
  });

  test("is not replaced if it is malformed", async () => {
    await mkdir(dataDirectory);
    const path = join(dataDirectory, "installation.key");
    await writeFile(path, "", { mode: 0o600 });
    await expect(load()).rejects.toThrow(`the installation key in "${path}" must be an installation key`);
    expect(await readFile(path, "utf8")).toBe("");
  });

  test("that cannot be created stops the start with its path and advice", async () => {
    await writeFile(dataDirectory, "a file where the directory should be");
    const loading = load();
    await expect(loading).rejects.toThrow(StartupError);
    await expect(loading).rejects.toThrow(`cannot create the installation key "${dataDirectory}/installation.key"`);
    await expect(loading).rejects.toThrow("or set EDGEHELM_KEY or EDGEHELM_KEY_FILE");
  });
});

test("a remote database without a configured key stops the start, and no file is created", async () => {
  const loading = load({}, true);
  await expect(loading).rejects.toThrow(StartupError);
  await expect(loading).rejects.toThrow(
    "a remote database needs an installation key: set EDGEHELM_KEY or EDGEHELM_KEY_FILE",
  );
  expect(await readdir(directory)).toEqual([]);
});
