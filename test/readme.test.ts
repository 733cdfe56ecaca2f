import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ANY_PORTS, CHOSEN_KEY, Server, THIS_RUNTIME } from "./harness/server.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const text = readFileSync(join(ROOT, "README.md"), "utf8");
const START = "npx --yes deno@2.9.6 task start";
const MARK = "---- end of a block ----";

/** A block of commands, and the block of output that follows it. */
interface Block {
  readonly commands: string;
  readonly output: string | undefined;
}

const blocks: Block[] = [...text.matchAll(/```sh\n([^]*?)```(?:\n\n```(?:json|text)\n([^]*?)```)?/g)]
  .map(([, commands, output]) => ({ commands: commands!, output }));

let server: Server;
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "edgehelm-readme-"));
  server = await Server.start({ EDGEHELM_DATA: join(directory, "data"), ...ANY_PORTS, ...CHOSEN_KEY });
  for (const name of ["core", "plugins", "proto", "node_modules", "deno.json", "package.json", "deno.lock"]) {
    await symlink(join(ROOT, name), join(directory, name));
  }
});
afterAll(async () => {
  await server.stop();
  await rm(directory, { recursive: true, force: true });
});

/** The commands as this test can run them: its server, its key, its runtime. */
function runnable(commands: string): string {
  return commands
    .replaceAll("http://127.0.0.1:8080", server.url)
    .replaceAll("http://127.0.0.1:8081", server.grpcUrl)
    .replace(/ACCESS_KEY_ID=\S+/, `ACCESS_KEY_ID=${CHOSEN_KEY.EDGEHELM_ADMIN_ACCESS_KEY_ID}`)
    .replace(/\bACCESS_KEY=\S+/, `ACCESS_KEY=${CHOSEN_KEY.EDGEHELM_ADMIN_ACCESS_KEY}`)
    .replaceAll(
      /npx --yes deno@2\.9\.6 task (plugin|backup|bundle)/g,
      [...THIS_RUNTIME, join(ROOT, "core/host/cli/main.ts"), "$1"].join(" "),
    );
}

/** Without what differs from run to run: tokens, ids, times and places. */
function steady(output: string): string {
  return output
    .replace(/"token":"[^"]*"/g, '"token":"…"')
    .replace(/"requestId":"[^"]*"/g, '"requestId":"…"')
    .replace(/"expiresAt":\d+/g, '"expiresAt":0')
    .replace(/installation \S+ into \S+ \([^,]+,/, "installation … into … (…,")
    .replaceAll(/\S*\/edge\/(?=\S+ (?:for|says) )/g, "…/edge/")
    .replaceAll(/[\d.]+ (?=[KM]iB)/g, "… ")
    .replace(/installation key [0-9a-f]{16}/, "installation key …")
    .replace(/[^\s"]*\/my_plugin(?=["\n])(?<!"\/my_plugin)/g, "…")
    .trim();
}

test("its first block tests and starts", () => {
  expect(blocks[0]?.commands).toBe(`npx --yes deno@2.9.6 task test\n${START}\n`);
});

test("every command that it shows gives the output that it shows", { timeout: 180_000 }, () => {
  const shown = blocks.slice(1);
  const script = shown.map(({ commands }) => `${runnable(commands)}\necho; echo "${MARK}"`).join("\n");
  const { stdout, stderr } = spawnSync("bash", ["-e", "-c", script], {
    cwd: directory,
    encoding: "utf8",
    env: { ...process.env, EDGEHELM_DATA: join(directory, "data") },
  });
  const outputs = stdout.split(`${MARK}\n`).slice(0, -1);
  expect({ blocks: outputs.length, stderr }).toMatchObject({ blocks: shown.length });
  for (const [index, { output }] of shown.entries()) {
    if (output !== undefined) expect(steady(outputs[index]!)).toBe(steady(output));
  }
});

test("the shown start is what a first start prints", () => {
  const [, printed] = /```text\n(made the admin[^]*?)```/.exec(text)!;
  expect(printed!.trim().split("\n").slice(-2)).toEqual([
    "http: listening on http://127.0.0.1:8080",
    "grpc: listening on http://127.0.0.1:8081",
  ]);
});
