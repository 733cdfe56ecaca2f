import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Attribution } from "../../../core/host/observe/attribution.ts";
import { runtimes } from "../../harness/runtimes.ts";
import { CHOSEN_KEY, installationDirectory, removeInstallation, Server } from "../../harness/server.ts";

/** Throws in a timer of its import, in timers and promises of its set-up, and in what its page starts. */
const CARELESS = `
import { definePlugin } from "edgehelm";
import manifest from "./plugin.json" with { type: "json" };
setTimeout(() => { throw new Error("careless import"); }, 1);
const reject = (text) => Promise.reject(new Error(text));
export default definePlugin({
  manifest,
  setup({ timers, route }) {
    setTimeout(() => { throw new Error("careless timer"); }, 1);
    setTimeout(() => { void reject("careless promise"); }, 1);
    setTimeout(() => { throw "careless text"; }, 1);
    timers.after(1, () => { throw new Error("careless timer of the kernel"); });
    queueMicrotask(() => { throw new Error("careless task"); });
    route("/careless", () => {
      setTimeout(() => { void reject("careless page"); }, 1);
      return new Response("served");
    });
  },
});
`;
const ERRORS = ["import", "timer", "promise", "timer of the kernel", "task", "page"];

let installation: Record<string, string>;
beforeEach(async () => {
  installation = await installationDirectory(["admin", "api_access_token", "user_access_key"]);
  const folder = join(dirname(installation.EDGEHELM_MANIFEST!), "careless");
  await mkdir(folder);
  await writeFile(join(folder, "plugin.js"), CARELESS);
  const manifest = {
    name: "careless",
    version: "1.0.0",
    kernel: "^1",
    services: [],
    tables: [],
    routes: ["/careless"],
  };
  await writeFile(join(folder, "plugin.json"), JSON.stringify(manifest));
  const path = installation.EDGEHELM_MANIFEST!;
  const installed = JSON.parse(await readFile(path, "utf8"));
  installed.plugins.push({ use: "./careless" });
  await writeFile(path, JSON.stringify(installed));
});
afterEach(() => removeInstallation(installation));

describe.each(runtimes())("on %s", (_name, runtime) => {
  test("errors in timers and promises of a plugin are logged with its name, counted, and do not end the process", async () => {
    const server = await Server.start({ ...installation, ...CHOSEN_KEY }, runtime);
    expect(await (await fetch(`${server.url}/careless`)).text()).toBe("served");
    await vi.waitFor(() => {
      const lines = server.output.split("\n").filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
      for (const error of ERRORS) {
        const line = lines.find((one) => String(one.error).includes(`careless ${error}\n`));
        expect(line, error).toMatchObject({ level: "error", plugin: "careless" });
      }
      expect(lines.find(({ error }) => error === "careless text")).toMatchObject({ level: "error" });
    }, 300_000);
    const metrics = await server.metrics();
    const [, count] = /^edgehelm_uncaught_errors_total\{plugin="careless"\} (\d+)$/m.exec(metrics)!;
    expect(Number(count)).toBeGreaterThanOrEqual(ERRORS.length);
    expect(await server.post("/AdminService/findAllAdmins", {})).toBeDefined();
    expect(await server.stop()).toBe(0);
  });
});

test("an error is attributed by what threw it, by its context, by the files in its stack, and else to no plugin", async () => {
  const attribution = new Attribution([["/srv/geo", "geo"], ["/srv/geo_more", "geo_more"]]);
  const thrown = new Error("thrown");
  expect(() =>
    attribution.run("sensor", () => {
      throw thrown;
    })
  ).toThrow(thrown);
  expect(attribution.pluginOf(thrown)).toBe("sensor");
  await attribution.run("sensor", async () => {
    await Promise.resolve();
    expect(attribution.pluginOf("a text")).toBe("sensor");
  });
  const inGeo = Object.assign(new Error("x"), {
    stack: `Error: x\n    at node:timers:1:1\n    at ${pathToFileURL("/srv/geo_more/plugin.js")}:3:1`,
  });
  expect(attribution.pluginOf(inGeo)).toBe("geo_more");
  expect(attribution.pluginOf(new Error("of the kernel"))).toBeUndefined();
});
