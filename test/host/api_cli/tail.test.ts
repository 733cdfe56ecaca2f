import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { MAIN, THIS_RUNTIME } from "../../harness/server.ts";
import manifest from "../../../plugins/manifest.json" with { type: "json" };
import { cliRig } from "./rig.ts";

/** The plugins of the default installation. */
const EVERY_PLUGIN = manifest.plugins.map(({ use }) => use);

/** A line as nginx writes it, of the present, with a path. */
function combined(path: string): string {
  const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
  const [, month, day] = new Date().toISOString().slice(0, 10).split("-");
  const time = new Date().toISOString().slice(11, 19);
  const date = `${day}/${months[Number(month) - 1]}/${new Date().getUTCFullYear()}:${time} +0000`;
  return `192.0.2.7 - - [${date}] "GET ${path} HTTP/1.1" 200 612 "-" "curl/8"\n`;
}

test("logs tail prints logs as they come, until it is interrupted", async () => {
  await using rig = await cliRig(EVERY_PLUGIN);
  await rig.login();
  const add = async (path: string) => {
    const file = await rig.file("access.log", combined(path));
    const { code, output } = await rig.run("logs", "import", file, "--host=www.example.com", "--scheme=http");
    expect({ code, output }).toMatchObject({ code: 0 });
  };
  await add("/before");
  const [program, ...flags] = THIS_RUNTIME;
  const tail = spawn(program!, [...flags, MAIN, "logs", "tail", "--domain", "www.example.com"], {
    env: { ...process.env, XDG_CONFIG_HOME: join(rig.home, "config"), XDG_CACHE_HOME: join(rig.home, "cache") },
  });
  let text = "";
  const seen = (path: string) =>
    new Promise<void>((resolve) => {
      const look = () => text.includes(`http://www.example.com${path} `) && resolve();
      tail.stdout.on("data", (chunk) => {
        text += chunk;
        look();
      });
      look();
    });
  await seen("/before");
  await add("/after");
  await seen("/after");
  // Not child.kill(), after which Deno loses the exit code.
  process.kill(tail.pid!, "SIGINT");
  expect((await once(tail, "close"))[0]).toBe(0);
  expect(text.match(/\/before /g)).toHaveLength(1);
  expect(text).toMatch(/ 200 192\.0\.2\.7 GET http:\/\/www\.example\.com\/after 612\n/);
});
