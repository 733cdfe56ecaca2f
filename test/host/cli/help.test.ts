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
