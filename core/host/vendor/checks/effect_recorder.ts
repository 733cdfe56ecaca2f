import childProcess from "node:child_process";
import dgram from "node:dgram";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import process from "node:process";
import timers from "node:timers";
import timerPromises from "node:timers/promises";
import workers from "node:worker_threads";
import type { Deed, Effect } from "./probe_result.ts";
import { placeIn } from "./stack_place.ts";

type Target = Record<string, unknown>;

const LISTENERS = ["on", "once", "addListener", "prependListener", "prependOnceListener"];
const TIMERS = ["setTimeout", "setInterval", "setImmediate"];
/** Functions of runtimes, by what they do: the object that has them, their names and the text. */
const WATCHED: readonly (readonly [Deed, string, object, readonly string[]])[] = [
  ["timer", "starts a timer with %", globalThis, TIMERS],
  ["timer", "starts a timer with %", timers, TIMERS],
  ["timer", "starts a timer with %", timerPromises, TIMERS],
  ["file", "uses a file with %", fs, functionsOf(fs)],
  ["file", "uses a file with %", fs.promises, functionsOf(fs.promises)],
  ["socket", "opens a connection with %", globalThis, ["fetch", "WebSocket", "EventSource", "BroadcastChannel"]],
  ["socket", "opens a connection with a socket", net.Socket.prototype, ["connect"]],
  ["socket", "listens with a server", net.Server.prototype, ["listen"]],
  ["socket", "uses a datagram socket", dgram.Socket.prototype, ["bind", "connect", "send"]],
  ["program", "starts a program", childProcess.ChildProcess.prototype, ["spawn"]],
  ["program", "starts a program with %", childProcess, functionsOf(childProcess)],
  ["program", "starts a thread with %", workers, ["Worker"]],
  ["program", "starts a thread with %", globalThis, ["Worker"]],
  ["listener", "listens to events with %", globalThis, ["addEventListener"]],
  ["listener", "listens to events of the process with process.%", process, LISTENERS],
  ["environment", "changes the process with process.%", process, ["chdir", "umask", "loadEnvFile"]],
  ["output", "prints with console.%", console, ["log", "info", "warn", "error", "debug"]],
];
/** The same of Deno. */
const WATCHED_OF_DENO: readonly (readonly [Deed, string, readonly string[]])[] = [
  ["socket", "opens a connection with Deno.%", ["connect", "connectTls", "startTls"]],
  ["socket", "listens with Deno.%", ["listen", "listenTls", "listenDatagram", "serve"]],
  ["program", "starts a program with Deno.%", ["Command"]],
  ["listener", "listens to signals with Deno.%", ["addSignalListener"]],
  ["timer", "starts a timer with Deno.%", ["cron"]],
];

/**
 * Starts to record what modules do when they are imported.
 *
 * @param folder the folder of the plugin
 * @returns a function that ends the recording
 */
export function record(folder: string): () => readonly Effect[] {
  const effects: Effect[] = [];
  const note = (deed: Deed, text: string) => {
    const frames = (new Error().stack ?? "").split("\n").slice(1).filter((line) => !line.includes(import.meta.url));
    const at = placeIn(folder, frames);
    if (at !== undefined) effects.push({ at, deed, text });
  };
  const environment = { ...process.env };
  const resources = counted();
  for (const [deed, text, target, names] of WATCHED) {
    for (const name of names) watch(target as Target, name, () => note(deed, text.replace("%", name)));
  }
  const { Deno: deno } = globalThis as unknown as { Deno?: Target & { env: Target } };
  if (deno !== undefined) {
    for (const [deed, text, names] of WATCHED_OF_DENO) {
      for (const name of names) watch(deno, name, () => note(deed, text.replace("%", name)));
    }
    for (const name of ["set", "delete"]) {
      watch(deno.env, name, () => note("environment", `writes the environment with Deno.env.${name}`));
    }
  }
  process.env = watchedEnvironment((name) => note("environment", `writes the environment variable ${name}`));
  syncBuiltinESMExports();
  const variables = new Set(Object.keys(globalThis));
  return () => [
    ...effects,
    ...effects.some(({ deed }) => deed === "environment") ? [] : changedVariables(environment),
    ...newGlobals(variables),
    ...leftOpen(resources),
  ];
}

function functionsOf(module: object): string[] {
  return Object.keys(module).filter((name) => /^[a-z]/.test(name) && typeof (module as Target)[name] === "function");
}

/** Calls `onUse` whenever a function is called, or a class is created. */
function watch(target: Target, name: string, onUse: () => void): void {
  const real = target[name];
  if (typeof real !== "function") return;
  const watched = new Proxy(real, {
    apply(called, self, args) {
      onUse();
      return Reflect.apply(called, self, args);
    },
    construct(called, args, newTarget) {
      onUse();
      return Reflect.construct(called, args, newTarget);
    },
  });
  try {
    target[name] = watched;
  } catch {
    // a read-only member of Deno, whose uses of permissions are recorded as well
  }
}

function watchedEnvironment(onWrite: (name: string) => void): typeof process.env {
  return new Proxy(process.env, {
    set(variables, name, value) {
      onWrite(String(name));
      return Reflect.set(variables, name, value);
    },
    deleteProperty(variables, name) {
      onWrite(String(name));
      return Reflect.deleteProperty(variables, name);
    },
  });
}

function changedVariables(before: Readonly<Record<string, string | undefined>>): Effect[] {
  const names = new Set([...Object.keys(before), ...Object.keys(process.env)]);
  return [...names].filter((name) => before[name] !== process.env[name])
    .map((name) => ({ at: "plugin.ts", deed: "environment", text: `writes the environment variable ${name}` }));
}

function newGlobals(before: ReadonlySet<string>): Effect[] {
  return Object.keys(globalThis).filter((name) => !before.has(name))
    .map((name) => ({ at: "plugin.ts", deed: "global", text: `adds the global variable ${name}` }));
}

/** The kinds of open resources that only a moment needs, such as a read of a file. */
const PASSING = /Req|Promise|^CloseReq$|Immediate/;

function counted(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo?.() ?? []) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** Returns what an import left open, whatever opened it. */
function leftOpen(before: ReadonlyMap<string, number>): Effect[] {
  return [...counted()].filter(([kind, count]) => !PASSING.test(kind) && count > (before.get(kind) ?? 0))
    .map(([kind]) => ({ at: "plugin.ts", deed: "other", text: `leaves open a resource of the kind ${kind}` }));
}
