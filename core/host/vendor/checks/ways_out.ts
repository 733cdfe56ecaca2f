import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isForBuild, isTest, type PluginCheck, type PluginFolder } from "./plugin_folder.ts";

const MODULE = /\.[cm]?[jt]sx?$/;
const DECLARATIONS = /\.d\.[cm]?ts$/;
const MARKS = /\bedgehelm_way_out_\w{1,20}/g;
/** The global functions that reach other machines. A variable of the same name is something else. */
const GLOBALS = ["fetch", "WebSocket", "EventSource", "Deno.connect", "Deno.connectTls", "Deno.startTls"];
/** The exports of modules of the runtime that reach other machines; those that listen do not. */
const EXPORTS: Readonly<Record<string, readonly string[]>> = {
  net: ["connect", "createConnection", "Socket", "Stream"],
  tls: ["connect", "TLSSocket"],
  http: ["request", "get", "ClientRequest", "Agent"],
  https: ["request", "get", "Agent"],
  http2: ["connect"],
  undici: ["*"],
};
/** Spares modules that cannot have a way out, which are most, the work of a parser. */
const CANDIDATE = /\b(?:fetch|WebSocket|EventSource|Deno|net|tls|https?|http2|undici)\b/;
const IMPORT = /^(?:import|export)\s(?<names>[^"]{0,2000}?)\sfrom "(?:node:)?(?<module>\w{1,10})";$/gm;
const DYNAMIC_IMPORT = /\b(?:import|require)\("(?:node:)?(?<module>\w{1,10})"\)/g;

/** Checks that a plugin reaches other machines through its calls, which guard the installation. */
export function waysOutRule({ path, files }: PluginFolder): PluginCheck {
  return {
    name: "other machines are reached with call.fetch and call.connect",
    async run() {
      const modules = files.filter((file) => {
        return MODULE.test(file) && !DECLARATIONS.test(file) && !isTest(file) && !isForBuild(file);
      });
      const findings = await Promise.all(modules.map(async (file) => {
        const ways = await waysOut(await readFile(join(path, file), "utf8"), /x$/.test(file));
        return ways.map((way) => `${file} uses ${way}, past the guard: use call.fetch or call.connect`);
      }));
      return findings.flat();
    },
  };
}

/**
 * Returns the names with which a module reaches other machines by itself, such as `fetch` or `connect of node:net`. A
 * module that is not valid has none: other checks report it.
 */
export async function waysOut(text: string, isJsx = false): Promise<readonly string[]> {
  if (!CANDIDATE.test(text)) return [];
  const { transform } = await import("esbuild");
  const define = GLOBALS.flatMap((name) => {
    const marked = markOf(name);
    const forms = name.startsWith("Deno") ? [name, `globalThis.${name}`] : [name, `globalThis.${name}`, `self.${name}`];
    return forms.map((form) => [form, marked]);
  });
  const { code } = await transform(text, {
    loader: isJsx ? "tsx" : "ts",
    define: Object.fromEntries(define),
    // otherwise an import of which only types are used would count
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    logLevel: "silent",
  }).catch(() => ({ code: "" }));
  const marks = new Set([...code.matchAll(MARKS)].map(([mark]) => mark));
  return [...GLOBALS.filter((name) => marks.has(markOf(name))), ...imported(code)];
}

/** Returns the name with which a global function is replaced, to find its uses. */
function markOf(name: string): string {
  return `edgehelm_way_out_${name.replace(".", "_")}`;
}

function imported(code: string): string[] {
  const found: string[] = [];
  for (const { groups } of code.matchAll(IMPORT)) {
    const { names, module } = groups as { names: string; module: string };
    // a module as a whole, with everything in it
    const isWhole = !/^\{/.test(names);
    const own = [...names.matchAll(/\b(\w+)(?: as \w+)?/g)].map(([, name]) => name!);
    const ways = (EXPORTS[module] ?? []).filter((name) => isWhole || name === "*" || own.includes(name));
    if (ways.length > 0) found.push(isWhole ? `node:${module}` : `${ways.join(", ")} of node:${module}`);
  }
  for (const { groups } of code.matchAll(DYNAMIC_IMPORT)) {
    if (groups!["module"]! in EXPORTS) found.push(`node:${groups!["module"]}`);
  }
  return found;
}
