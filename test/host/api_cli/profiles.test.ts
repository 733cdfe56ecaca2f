import { chmod, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { KEY } from "../../harness/server.ts";
import { type CliRig, cliRig } from "./rig.ts";

let rig: CliRig;
beforeAll(async () => {
  rig = await cliRig(["hello_world"]);
});
afterAll(() => rig[Symbol.asyncDispose]());

const HELLO = ["HelloWorldService", "sayHello", "--name", "Ada"];

function profilesFile(): string {
  return join(rig.home, "config/edgehelm/profiles.json");
}

test("a key that the installation refuses is not kept", async () => {
  const wrong = await rig.file("wrong", "wrongsecret0000000000000000000001");
  const { code, output } = await rig.run("login", "--url", rig.server.url, "--id", KEY.id, "--secret", `@${wrong}`);
  expect({ code, output }).toMatchObject({ code: 6 });
  expect((await rig.run("profiles")).output).toContain("there are no profiles");
});

test.each([["login"], ["export"], ["logs", "tail"], ["completion"]])(
  "%s %s --help says how it is called",
  async (...words) => {
    const { code, output } = await rig.run(...words, "--help");
    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(`^usage: edgehelm ${words[0]} .*\n$`) });
  },
);

test("login keeps the key for its owner alone, and logout removes it", async () => {
  await rig.login();
  expect((await stat(profilesFile())).mode & 0o777).toBe(process.platform === "win32" ? 0o666 : 0o600);
  expect((await rig.run("profiles")).output).toBe(`* default  ${rig.server.url}  admin ${KEY.id}\n`);
  expect((await rig.run(...HELLO)).output).toContain("hello, Ada");
  expect((await rig.run("logout")).output).toBe('removed profile "default"\n');
  expect(await readFile(profilesFile(), "utf8")).not.toContain(KEY.secret);
  expect((await rig.run("--profile", "default", ...HELLO)).code).toBe(2);
});

test("a token that the installation no longer accepts is replaced", async () => {
  await rig.login();
  const profiles = JSON.parse(await readFile(profilesFile(), "utf8"));
  const { token } = profiles.profiles.default;
  profiles.profiles.default.token = { ...token, token: `${token.token.slice(0, -4)}AAAA` };
  await rig.file("config/edgehelm/profiles.json", JSON.stringify(profiles));
  expect((await rig.run(...HELLO)).output).toContain("hello, Ada");
  expect(JSON.parse(await readFile(profilesFile(), "utf8")).profiles.default.token.token)
    .not.toBe(profiles.profiles.default.token.token);
});

test.skipIf(process.platform === "win32")("profiles that others can read are refused", async () => {
  await rig.login();
  await chmod(profilesFile(), 0o644);
  const { code, output } = await rig.run(...HELLO);
  expect(code).toBe(2);
  expect(output).toContain("chmod 600");
  await chmod(profilesFile(), 0o600);
});

test("a server that cannot be reached is exit code 7", async () => {
  await rig.login();
  const profiles = JSON.parse(await readFile(profilesFile(), "utf8"));
  profiles.profiles.gone = { ...profiles.profiles.default, url: "http://127.0.0.1:1" };
  await rig.file("config/edgehelm/profiles.json", JSON.stringify(profiles));
  const { code, output } = await rig.run("--profile", "gone", ...HELLO);
  expect(output).toContain("cannot be reached");
  expect(code).toBe(7);
});
