import { spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { MAIN, THIS_RUNTIME } from "../../harness/server.ts";
import { cliRig } from "../api_cli/rig.ts";

/** `script` of util-linux runs a command on a terminal and prints what that shows. */
test.runIf(process.platform === "linux")(
  "apply asks and shows a bar on a terminal, and neither without one",
  async () => {
    await using rig = await cliRig(["ns_cluster"]);
    await rig.login();
    const folder = join(rig.home, "clusters");
    await mkdir(folder);
    await rig.file("clusters/NSCluster.yaml", "- name: eu\n- name: us\n");
    const command = [...THIS_RUNTIME, MAIN, "apply", folder].map((word) => `'${word}'`).join(" ");
    const terminal = spawn("script", ["--quiet", "--return", "--command", command, "/dev/null"], {
      env: {
        ...process.env,
        XDG_CONFIG_HOME: join(rig.home, "config"),
        XDG_CACHE_HOME: join(rig.home, "cache"),
      },
      stdio: ["pipe", "pipe", "inherit"],
    });
    terminal.stdin.write("y\n");
    const shown = await text(terminal.stdout);
    expect(shown).toContain("apply? [y/N]");
    expect(shown).toContain(`\rapplying [${"#".repeat(15)}${" ".repeat(15)}] 1/2`);
    expect(shown).toContain(`\rapplying [${"#".repeat(30)}] 2/2\r\n`);
    expect(shown).toContain("created 2, changed 0, deleted 0");

    await rig.file("clusters/NSCluster.yaml", "- name: eu\n- name: us\n- name: asia\n");
    expect((await rig.run("apply", folder, "--yes")).output).toBe(
      '+ NSCluster "asia"\n1 to create, 0 to change, 0 to keep\ncreated 1, changed 0, deleted 0\n',
    );
  },
);
