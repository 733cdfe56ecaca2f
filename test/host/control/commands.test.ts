import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CHOSEN_KEY, installationDirectory, KEY, removeInstallation, runToEnd, Server } from "../../harness/server.ts";

const PLUGINS = ["admin", "api_access_token", "hello_world", "user_access_key"];

let installation: Record<string, string>;
let server: Server;
beforeEach(async () => {
  installation = await installationDirectory(PLUGINS);
  server = await Server.start({ ...installation, ...CHOSEN_KEY });
});
afterEach(async () => {
  await server.stop();
  await removeInstallation(installation);
});

const socket = () => join(installation.EDGEHELM_DATA!, "control.sock");
const run = (...args: string[]) => runToEnd(args, installation);

describe("commands while a server holds the database file", () => {
  test("run in the server, which only its user can reach", async () => {
    expect((await stat(socket())).mode & 0o777).toBe(0o600);
    const created = await run("admin", "create", "second");
    expect(created).toMatchObject({ code: 0 });
    const [, id] = /accessKeyId +(\S+)/.exec(created.output)!;
    const [, secret] = /accessKey +(\S+)/.exec(created.output)!;
    expect(await server.token(id!, secret!)).not.toBe("");
    expect(await run("admin", "create", "second"))
      .toMatchObject({ code: 78, output: expect.stringContaining("is taken") });
    expect(await run("admin", "unknown")).toMatchObject({
      code: 78,
      output: expect.stringContaining("logins release"),
    });
  });

  test("release an access key that was guessed from the same address", async () => {
    const body = { type: "admin", accessKeyId: KEY.id, accessKey: "wrong" };
    const exchange = async (accessKey: string) =>
      (await server.postAnonymously("/APIAccessTokenService/getAPIAccessToken", { ...body, accessKey })).code;
    for (let time = 0; time < 10; time++) expect(await exchange("wrong")).toBe(401);
    expect(await exchange(KEY.secret)).toBe(429);
    expect(await run("logins", "release", KEY.id)).toMatchObject({ code: 0 });
    expect(await exchange(KEY.secret)).toBe(200);
  });

  test("rotate the signing key without a refused call", async () => {
    const kids = async () => {
      const { keys } = await (await fetch(`${server.url}/.well-known/jwks.json`)).json();
      return keys.map(({ kid }: { kid: string }) => kid);
    };
    const [old] = await kids();
    const rotated = await whileCalling(() => run("keys", "rotate-signing"));
    expect(rotated).toMatchObject({ code: 0 });
    const [, made] = /signing key (\S+);/.exec(rotated.output)!;
    expect((await kids()).sort()).toEqual([old, made].sort());
  });

  test("rotate the installation key without a refused call, and finish when its file has the new one", async () => {
    const before = await server.adminToken();
    const rotated = await whileCalling(() => run("keys", "rotate-installation"));
    expect(rotated).toMatchObject({ code: 0 });
    expect(await run("keys", "finish-installation"))
      .toMatchObject({ code: 78, output: expect.stringContaining("replace it by the new key") });
    await writeFile(join(installation.EDGEHELM_DATA!, "installation.key"), /^ {2}(\S+)$/m.exec(rotated.output)![1]!);
    expect(await whileCalling(() => run("keys", "finish-installation"))).toMatchObject({ code: 0 });
    await server.stop();
    server = await Server.start(installation);
    expect(await server.postWith(before, "/HelloWorldService/sayHello", {})).toMatchObject({ code: 200 });
    expect(await server.token(KEY.id, KEY.secret)).not.toBe("");
  });

  test("leave a readable installation if the server is killed at any moment of a rotation", async () => {
    for (const delay of [0, 20, 40, 60, 80]) {
      const running = run("keys", "rotate-installation");
      await new Promise((resolve) => setTimeout(resolve, delay));
      server.kill();
      await server.ended;
      await running;
      server = await Server.start(installation);
      expect(await server.token(KEY.id, KEY.secret)).not.toBe("");
    }
  });
});

/** Runs a command while calls with old and new tokens are made, none of which may be refused. */
async function whileCalling<Result>(command: () => Promise<Result>): Promise<Result> {
  const before = await server.adminToken();
  let isRunning = true;
  const calling = (async () => {
    let calls = 0;
    while (isRunning || calls === 0) {
      for (const token of [before, await server.token(KEY.id, KEY.secret)]) {
        expect(await server.postWith(token, "/HelloWorldService/sayHello", {})).toMatchObject({ code: 200 });
        calls++;
      }
    }
  })();
  try {
    return await command();
  } finally {
    isRunning = false;
    await calling;
  }
}

test("a command runs in its own process after a server crashed, whose socket is then replaced", async () => {
  server.kill();
  await server.ended;
  expect((await stat(socket())).isSocket()).toBe(true);
  expect(await run("keys", "rotate-signing")).toMatchObject({ code: 0 });
  server = await Server.start(installation);
  expect(await run("logins", "release", "unknown")).toMatchObject({ code: 0 });
});
