import process from "node:process";
import { runAgent } from "./agent.ts";
import { connectionError } from "./api.ts";
import { Knotc } from "./knot/knotc.ts";
import { createLog, errorText } from "./log.ts";
import { settingsOfProcess } from "./settings.ts";
import { VERSION } from "./version.ts";

const [command = ""] = process.argv.slice(2);

/** Ends with 0 if the agent can work here: this is what an installation over SSH asks. */
async function check(): Promise<number> {
  const settings = settingsOfProcess();
  const error = await connectionError(settings);
  if (error !== undefined) {
    console.error(`rpc: ${error}`);
    return 1;
  }
  try {
    await new Knotc({ program: settings.knotc, socket: settings.knotSocket }).run("status");
  } catch (error) {
    console.error(`knot: ${errorText(error)}`);
    return 1;
  }
  return 0;
}

async function run(): Promise<number> {
  const stop = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => stop.abort());
  }
  await runAgent(settingsOfProcess(), VERSION, createLog(), stop.signal);
  return 0;
}

try {
  if (command === "version") console.log(VERSION);
  process.exit(command === "version" ? 0 : command === "test" ? await check() : await run());
} catch (error) {
  console.error(`edge-dns: ${errorText(error)}`);
  process.exit(1);
}
