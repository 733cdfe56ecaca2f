import { readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { installationDirectory, removeInstallation, runToEnd } from "../../harness/server.ts";

const COMMANDS = ["start", "migrate", "backup", "restore", "doctor", "config", "bundle", "pack", "plugin"];

test("--help after a command says how it is called, and does nothing else", async () => {
  const installation = await installationDirectory(["hello_world"]);
  const before = await readdir(installation.EDGEHELM_DATA!).catch(() => []);
  for (const command of COMMANDS) {
    expect(await runToEnd([command, "--help"], installation)).toMatchObject({
      code: 0,
      output: expect.stringMatching(new RegExp(`^usage: edgehelm ${command}\\b`, "m")),
    });
  }
  expect(await readdir(installation.EDGEHELM_DATA!).catch(() => [])).toEqual(before);
  await removeInstallation(installation);
});

test("one help lists the commands of the program, and says how operations are called", async () => {
  const installation = await installationDirectory(["hello_world"]);
  const outputs = await Promise.all(["help", "--help"].map((word) => runToEnd([word], installation)));
  expect(outputs[0]).toEqual(outputs[1]);
  for (const command of [...COMMANDS, "dev", "services", "login", "export", "completion", "<service> <method>"]) {
    expect(outputs[0]!.output).toContain(`\n  ${command}`);
  }
  await removeInstallation(installation);
});

test("help explains a command of the program, an action, a command for any installation and one of a plugin", async () => {
  const installation = await installationDirectory(["admin", "api_access_token", "user_access_key"]);
  const help = async (...words: string[]) => (await runToEnd(["help", ...words], installation)).output;
  expect(await help("backup")).toMatch(/^usage: edgehelm backup <file> \[--force\]\n\nCopies the database/);
  expect((await help("plugin")).split("\n").filter((line) => line.startsWith("  edgehelm plugin ")).length).toBe(13);
  const remove = await help("plugin", "remove");
  expect(remove).toContain("--delete-data [--yes]");
  expect(remove).not.toContain("plugin add");
  expect((await runToEnd(["plugin", "remove", "--help"], installation)).output).toBe(remove);
  expect(await help("plan")).toContain("usage: edgehelm plan <folder>");
  expect(await help("admin")).toContain("usage: edgehelm admin create <username>");
  expect(await readdir(installation.EDGEHELM_DATA!).catch(() => [])).toEqual([]);
  await removeInstallation(installation);
});

test.each([
  [["plugni", "list"], 'command "plugni list" does not exist; did you mean "plugin"?'],
  [["help", "bakup"], 'command "bakup" does not exist; did you mean "backup"?'],
  [["admin", "creat", "bob"], 'command "admin creat bob" does not exist; did you mean "admin create"?'],
  [["profile"], 'command "profile" does not exist; did you mean "profiles"?'],
  [["plugin", "lst"], '"lst" is no action; did you mean "plugin list"?'],
  [["plugin", "why"], "plugin why: an argument is missing"],
])("%j does not exist: the nearest command is named, and nothing is created", async (args, text) => {
  const installation = await installationDirectory(["admin", "api_access_token", "user_access_key"]);
  const { code, output } = await runToEnd(args, installation);
  expect({ code, output }).toMatchObject({ code: 78, output: expect.stringContaining(text) });
  expect(await readdir(installation.EDGEHELM_DATA!).catch(() => [])).toEqual([]);
  await removeInstallation(installation);
});
