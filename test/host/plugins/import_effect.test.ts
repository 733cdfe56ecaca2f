import { expect, test } from "vitest";
import { tryImport } from "../../../core/host/vendor/checks/import_effect.ts";
import { vendorPlugin } from "./vendor_plugin.ts";

async function imported(rules: string) {
  await using plugin = await vendorPlugin({
    "rules.ts": `${rules}\nexport const rule = 1;\n`,
    "plugin.ts": (text) => `import "./rules.ts";\n${text}`,
  });
  return await tryImport(plugin.folder, plugin.module);
}

test("a new plugin does nothing when it is imported", async () => {
  await using plugin = await vendorPlugin();
  expect(await tryImport(plugin.folder, plugin.module)).toEqual({ findings: [] });
});

test.each([
  ["a timer", "setTimeout(() => {}, 10);", "rules.ts:1 starts a timer with setTimeout"],
  [
    "an interval",
    "const timer = setInterval(() => {}, 10);\ntimer.unref();",
    "rules.ts:1 starts a timer with setInterval",
  ],
  [
    "a timer of node:timers",
    'import * as t from "node:timers";\nt.setInterval(() => {}, 9);',
    /rules\.ts:2 starts|Timeout/,
  ],
  ["a timer that starts later", "Promise.resolve().then(() => setTimeout(() => {}, 1));", "rules.ts:1 starts a timer"],
  [
    "a file",
    'import { readFileSync } from "node:fs";\nreadFileSync(import.meta.filename!);',
    /rules\.ts:2 uses (a|the) file/,
  ],
  ["a file of promises", 'import fs from "node:fs/promises";\nawait fs.stat("/");', /rules\.ts:2 uses (a|the) file/],
  ["a server", 'import net from "node:net";\nnet.createServer().listen(0);', "rules.ts:2 listens with a server"],
  [
    "a server of HTTP",
    'import http from "node:http";\nhttp.createServer().listen(0);',
    "rules.ts:2 listens with a server",
  ],
  ["a request", 'fetch("http://127.0.0.1:9").catch(() => {});', "rules.ts:1 opens a connection with fetch"],
  [
    "a connection",
    'import net from "node:net";\nnet.connect(9, "127.0.0.1").on("error", () => {});',
    "rules.ts:2 opens a connection",
  ],
  ["a program", 'import { spawn } from "node:child_process";\nspawn("true");', "rules.ts:2 starts a program"],
  ["a variable of the environment", 'import process from "node:process";\nprocess.env.A_B = "1";', "variable A_B"],
  ["a listener", 'import process from "node:process";\nprocess.on("exit", () => {});', "rules.ts:2 listens to events"],
  ["a global variable", "Object.assign(globalThis, { myCache: {} });", "adds the global variable myCache"],
  ["output", 'console.log("loaded");', "rules.ts:1 prints with console.log"],
])("an import that starts or changes %s is found", async (_name, rules, text) => {
  const { error, findings } = await imported(rules);
  expect({ error, findings }).toEqual({
    error: undefined,
    findings: [typeof text === "string" ? expect.stringContaining(text) : expect.stringMatching(text)],
  });
  expect(findings[0]).toMatch(/ when it is imported: \w/);
});

test("functions that do not run, and reads of the environment, are no effects", async () => {
  const rules = 'import process from "node:process";\nexport const home = process.env.HOME;\n' +
    'export const later = () => setTimeout(() => fetch("http://127.0.0.1:9"), 5);';
  expect(await imported(rules)).toEqual({ findings: [] });
});

test("an import that fails, and one that ends the process, are named", async () => {
  expect(await imported('\nthrow new Error("no rules");')).toEqual({ error: "rules.ts:2: no rules", findings: [] });
  const ended = await imported('import process from "node:process";\nprocess.exit(0);');
  expect(ended.error).toBe("the import ends the process, or does not end");
});
