import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { ANY_PORTS, CHOSEN_KEY, Server, THIS_RUNTIME } from "./harness/server.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const START = "npx --yes deno@2.9.6 task start";
const MARK = "---- end of a block ----";
/** Without the guide that needs a registry, which test/vendor follows. */
const GUIDES = readdirSync(join(ROOT, "core/guides")).filter((name) =>
  name.endsWith(".md") && name !== "first_plugin.md"
)
  .map((name) => `core/guides/${name}`);
/** Signs in as the README shows it; guides continue from there. */
const SIGN_IN = `TOKEN=$(curl -s http://127.0.0.1:8080/APIAccessTokenService/getAPIAccessToken \\
  -d '{"type": "admin", "accessKeyId": "${CHOSEN_KEY.EDGEHELM_ADMIN_ACCESS_KEY_ID}", "accessKey": "${CHOSEN_KEY.EDGEHELM_ADMIN_ACCESS_KEY}"}' \\
  | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')
`;

/** A block of commands, and the block of output that follows it. */
interface Block {
  readonly commands: string;
  readonly output: string | undefined;
}

function textOf(document: string): string {
  return readFileSync(join(ROOT, document), "utf8");
}

function blocksOf(document: string): Block[] {
  return [...textOf(document).matchAll(/```sh\n([^]*?)```(?:\n\n```(?:json|text)\n([^]*?)```)?/g)]
    .map(([, commands, output]) => ({ commands: commands!, output }));
}

/** An installation of one document, with the project's folders beside its data. */
async function openDocument(): Promise<{ server: Server; directory: string } & AsyncDisposable> {
  const directory = await mkdtemp(join(tmpdir(), "edgehelm-document-"));
  const server = await Server.start({ EDGEHELM_DATA: join(directory, "data"), ...ANY_PORTS, ...CHOSEN_KEY });
  for (const name of ["core", "plugins", "proto", "node_modules", "deno.json", "package.json", "deno.lock"]) {
    await symlink(join(ROOT, name), join(directory, name));
  }
  return {
    server,
    directory,
    async [Symbol.asyncDispose]() {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The commands as this test can run them: its server, its key, its runtime. */
function runnable(commands: string, server: Server): string {
  return commands
    .replaceAll("http://127.0.0.1:8080", server.url)
    .replaceAll("http://127.0.0.1:8081", server.grpcUrl)
    .replace(/ACCESS_KEY_ID=\S+/, `ACCESS_KEY_ID=${CHOSEN_KEY.EDGEHELM_ADMIN_ACCESS_KEY_ID}`)
    .replace(/\bACCESS_KEY=\S+/, `ACCESS_KEY=${CHOSEN_KEY.EDGEHELM_ADMIN_ACCESS_KEY}`)
    .replaceAll(
      /npx --yes deno@2\.9\.6 task (plugin|migrate|backup|bundle|cli)/g,
      (_task, command: string) =>
        [...THIS_RUNTIME, join(ROOT, "core/host/cli/main.ts"), ...command === "cli" ? [] : [command]].join(" "),
    );
}

/** The output without tokens, ids, times and places, which differ from run to run. */
function steady(output: string): string {
  return output
    .replace(/"token":"[^"]*"/g, '"token":"…"')
    .replace(/"requestId":"[^"]*"/g, '"requestId":"…"')
    .replace(/"expiresAt":\d+/g, '"expiresAt":0')
    .replace(/installation \S+ into \S+ \([^,]+,/, "installation … into … (…,")
    .replaceAll(/\S*\/edge\/(?=\S+ for )/g, "…/edge/")
    .replace(/\S*\/edgehelm\.db:/, "…/edgehelm.db:")
    .replaceAll(/[\d.]+ (?=[KM]iB)/g, "… ")
    .replace(/whole: \d+ (.*) head \S+/, "whole: … $1 head …")
    .replace(/installation key [0-9a-f]{16}/, "installation key …")
    .replace(/[^\s"]*\/my_plugin(?=["\n])(?<!"\/my_plugin)/g, "…")
    .trim();
}

/** Runs a script to its end. Meanwhile this process reads the log of the server, which would wait for its reader. */
async function run(script: string, directory: string): Promise<{ stdout: string; stderr: string }> {
  const env = { ...process.env, EDGEHELM_DATA: join(directory, "data") };
  const child = spawn("bash", ["-e", "-c", script], { cwd: directory, env });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { stdout, stderr };
}

test("the README begins with the two commands", () => {
  expect(blocksOf("README.md")[0]?.commands).toBe(`npx --yes deno@2.9.6 task test\n${START}\n`);
});

test("the README fits two screens", () => {
  expect(textOf("README.md").split("\n").length).toBeLessThanOrEqual(110);
});

test.each(["README.md", ...GUIDES].map((document) => ({ document })))(
  "every command in $document prints what it shows",
  async ({ document }) => {
    const isReadme = document === "README.md";
    const shown = blocksOf(document).slice(isReadme ? 1 : 0);
    if (shown.length === 0) return;
    await using opened = await openDocument();
    const { server, directory } = opened;
    const script = (isReadme ? "" : runnable(SIGN_IN, server)) +
      shown.map(({ commands }) => `${runnable(commands, server)}\necho; echo "${MARK}"`).join("\n");
    const { stdout, stderr } = await run(script, directory);
    const outputs = stdout.split(`${MARK}\n`).slice(0, -1);
    expect({ blocks: outputs.length, stderr }).toMatchObject({ blocks: shown.length });
    for (const [index, { output }] of shown.entries()) {
      if (output !== undefined) expect(steady(outputs[index]!)).toBe(steady(output));
    }
  },
);

test("the start that the README shows is what a first start prints", () => {
  const [, printed] = /```text\n(created admin[^]*?)```/.exec(textOf("README.md"))!;
  expect(printed!.trim().split("\n").slice(-2)).toEqual([
    "http: listening on http://127.0.0.1:8080",
    "grpc: listening on http://127.0.0.1:8081",
  ]);
});
