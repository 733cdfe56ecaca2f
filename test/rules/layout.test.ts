import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { pluginFolders } from "../matrix/plugins.ts";
import { generatedServices, root } from "./generated.ts";
import { isHandwritten, projectFiles } from "./sources.ts";

const TOP_LEVEL = ["README.md", "core", "deno.json", "package.json", "plugins", "proto", "test", "tsconfig.json"];
const ALLOWED_BESIDE = ["LICENSE", "deno.lock"];
const HEADINGS = ["Name", "Description", "Operations", "Config", "Example"];
const TEXT = /\.(ts|js|json|md|proto|yaml|yml|sh|lock)$|(^|\/)[^.]+$/;

const files = projectFiles();
const handwritten = files.filter((path) => isHandwritten(path) && !path.endsWith("_pb.ts"));

function textOf(path: string): string {
  return readFileSync(root + path, "utf8");
}

function linesOf(path: string): number {
  return textOf(path).split("\n").length - 1;
}

test("the top level contains the expected entries", () => {
  const names = new Set(files.map((path) => path.split("/", 1)[0]!));
  const entries = [...names].filter((name) => !name.startsWith(".") && !ALLOWED_BESIDE.includes(name));
  expect(entries.sort()).toEqual(TOP_LEVEL);
});

test("files have at most 300 lines", () => {
  expect(handwritten.filter((path) => linesOf(path) > 300)).toEqual([]);
});

test.each(["core", "plugins", "test"])("the median file of %s has less than 70 lines", (folder) => {
  const lengths = handwritten.filter((path) => path.startsWith(`${folder}/`)).map(linesOf).sort((a, b) => a - b);
  expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThan(70);
});

test("folders have at most 25 hand-written files", () => {
  const folders = Map.groupBy(handwritten, (path) => path.slice(0, path.lastIndexOf("/")));
  const crowded = [...folders].filter(([, paths]) => paths.length > 25);
  expect(crowded.map(([folder, paths]) => `${folder}: ${paths.length}`)).toEqual([]);
});

test("file and folder names are snake_case", () => {
  const code = files.filter((path) => /\.(ts|proto)$/.test(path) && /^(core|plugins|proto|test)\//.test(path));
  const invalid = code.filter((path) =>
    !path.split("/").every((part) => /^[a-z0-9_]+(\.(test|config|gen))?(\.[a-z]+)?$/.test(part))
  );
  expect(invalid).toEqual([]);
});

test("no file contains an open task", () => {
  const marks = new RegExp(["TO" + "DO", "FIX" + "ME"].join("|"));
  expect(files.filter((path) => /\.(ts|proto)$/.test(path) && marks.test(textOf(path)))).toEqual([]);
});

test("packages are pinned to exact versions", () => {
  const { dependencies, devDependencies } = JSON.parse(textOf("package.json"));
  const unpinned = Object.entries({ ...dependencies, ...devDependencies }).filter(([, version]) =>
    !/^\d+\.\d+\.\d+(-[0-9a-z.-]+)?$/.test(version as string)
  );
  expect(unpinned).toEqual([]);
});

test("no file mentions a machine path or a registry", () => {
  const forbidden = new RegExp(
    ["/ro" + "ot/", "/ho" + "me/", "/wo" + "rk/", "regis" + "try\\.[a-z]+\\.[a-z]", "/art" + "ifactory"].join("|"),
  );
  const mentions = files.filter((path) => TEXT.test(path)).flatMap((path) =>
    textOf(path).split("\n").flatMap((line, index) =>
      forbidden.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : []
    )
  );
  expect(mentions).toEqual([]);
});

describe.each(pluginFolders.map((folder) => ({ folder })))("plugin $folder", ({ folder }) => {
  const manifest = JSON.parse(textOf(`plugins/${folder}/plugin.json`));

  test("has the name of its folder", () => {
    expect(manifest.name).toBe(folder);
  });

  test("has a short plugin.ts", () => {
    expect(linesOf(`plugins/${folder}/plugin.ts`)).toBeLessThan(70);
  });

  test("has a README with the standard headings", () => {
    const headings = [...textOf(`plugins/${folder}/README.md`).matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(HEADINGS);
  });

  test("documents every operation in its README", async () => {
    const services = (await generatedServices()).filter(({ name }) => manifest.services.includes(name));
    expect(services.map(({ name }) => name).sort()).toEqual(manifest.services.toSorted());
    const [, section = ""] = /\n## Operations\n([^]*?)\n## /.exec(textOf(`plugins/${folder}/README.md`)) ?? [];
    const undocumented = services.flatMap(({ methods }) => methods).filter(({ name }) =>
      !section.includes(`\`${name}\``)
    );
    expect(undocumented.map(({ name }) => name)).toEqual([]);
  });
});
