import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { PluginCheck, PluginFolder } from "./plugin_folder.ts";

const HEADINGS = ["Name", "Description", "Operations", "Config", "Example"];
const CODE = /\.(?:[cm]?[jt]sx?|proto)$/;
const SNAKE_CASE = /^[a-z0-9_]+(?:\.(?:test|config|gen|d))?(?:\.[a-z]+)?$/;
const MIGRATION = /^(\d{4})_[a-z0-9_]+\.[jt]s$/;

/** Checks the names of the files of a plugin, and the files that every plugin has. */
export function pluginLayout(plugin: PluginFolder): PluginCheck {
  return {
    name: "files have the names and the places that they have in every plugin",
    async run() {
      return [
        ...nameErrors(plugin),
        ...migrationErrors(plugin),
        ...hostErrors(plugin),
        ...await protoErrors(plugin),
        ...await readmeErrors(plugin),
      ];
    },
  };
}

function nameErrors({ files }: PluginFolder): string[] {
  return files.filter((file) => CODE.test(file)).flatMap((file) => {
    const invalid = file.split("/").find((part) => !SNAKE_CASE.test(part));
    return invalid === undefined
      ? []
      : [`${file}: "${invalid}" is not snake_case: rename it to "${snakeCase(invalid)}"`];
  });
}

function snakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").replace(/[-\s]+/g, "_").toLowerCase();
}

function migrationErrors({ files }: PluginFolder): string[] {
  const names = files.filter((file) => /^migrations\/(?!mod\.[jt]s$)/.test(file) && CODE.test(file));
  const seen = new Map<string, string>();
  return names.flatMap((file) => {
    const [, number] = MIGRATION.exec(file.slice("migrations/".length)) ?? [];
    if (number === undefined) {
      return [`${file}: migrations run in the order of their names: rename it to 0001_create_things.ts or the like`];
    }
    const other = seen.get(number);
    seen.set(number, file);
    return other === undefined ? [] : [`${file}: has the number of ${other}: give it the next one`];
  });
}

function hostErrors({ path, manifest: { host } }: PluginFolder): string[] {
  if (host === undefined) return [];
  if (!/^(?:\.\/)?host(?:\.[jt]s$|\/)/.test(host)) {
    return [`plugin.json: host: "${host}" must be host.ts or in the folder host: move it there`];
  }
  return existsSync(join(path, host)) ? [] : [`plugin.json: host: ${host} does not exist: write it, or remove "host"`];
}

async function protoErrors(plugin: PluginFolder): Promise<string[]> {
  const { files, manifest: { services = [] } } = plugin;
  const protos = files.filter((file) => file.endsWith(".proto"));
  const declared = await namesAfter("service", plugin);
  return [
    ...protos.filter((file) => !file.startsWith("proto/")).map((file) => `${file}: move it to the folder proto`),
    ...protos.filter((file) => ["ts", "js"].every((ending) => !files.includes(generatedOf(file, ending))))
      .map((file) => `${file}: ${generatedOf(file, "ts")} does not exist: run edgehelm plugin gen`),
    ...services.filter((service) => !declared.includes(service))
      .map((service) =>
        `plugin.json: services: no file in proto has the service ${service}: write it, or remove the name`
      ),
    ...declared.filter((service) => !services.includes(service))
      .map((service) => `plugin.json: services: lacks ${service}, which is in the folder proto: add it`),
  ];
}

function generatedOf(proto: string, ending: string): string {
  return proto.replace(/\.proto$/, `_pb.${ending}`);
}

async function readmeErrors(plugin: PluginFolder): Promise<string[]> {
  const { path, files } = plugin;
  if (!files.includes("README.md")) {
    return [`README.md: does not exist: write one with the headings ${HEADINGS.join(", ")}`];
  }
  const text = await readFile(join(path, "README.md"), "utf8");
  const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading!.trim());
  const missing = HEADINGS.filter((heading) => !headings.includes(heading));
  if (missing.length > 0) {
    return missing.map((heading) =>
      `README.md: has no heading "## ${heading}": add it, in the order ${HEADINGS.join(", ")}`
    );
  }
  const isInOrder = HEADINGS.every((heading, index) => headings[index] === heading);
  const [, section = ""] = /^## Operations\s*$([^]*?)(?=^## |(?![^]))/m.exec(text) ?? [];
  const operations = await namesAfter("rpc", plugin);
  return [
    ...isInOrder ? [] : [`README.md: begin with the headings ${HEADINGS.join(", ")}, in this order; others may follow`],
    ...operations.filter((name) => !section.includes(`\`${name}\``))
      .map((name) => `README.md: "## Operations" lacks \`${name}\`: write what it does and who may call it`),
  ];
}

/** Returns the names after a keyword that begins a line of a proto file. */
async function namesAfter(keyword: "service" | "rpc", { path, files }: PluginFolder): Promise<string[]> {
  const protos = files.filter((file) => file.endsWith(".proto"));
  const texts = await Promise.all(protos.map((file) => readFile(join(path, file), "utf8")));
  const lines = texts.flatMap((text) => text.split("\n")).map((line) => line.trim().split(/[\s({]/, 2));
  return lines.filter(([first, name]) => first === keyword && name !== undefined).map(([, name]) => name!);
}
