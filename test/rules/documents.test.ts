import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, test } from "vitest";
import { root } from "./generated.ts";
import { projectFiles } from "./sources.ts";

const files = projectFiles();
const paths = new Set(files.flatMap((path) => {
  const parts = path.split("/");
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}));
const documents = files.filter((path) => path.endsWith(".md"));

const textOf = (path: string) => readFileSync(root + path, "utf8");

test("paths in documents exist", () => {
  const missing = documents.flatMap((document) =>
    [...textOf(document).matchAll(/`((?:core|plugins|proto|test|\.github)\/[\w./-]*)`/g)]
      .map(([, path]) => path!.replace(/\/$/, ""))
      .filter((path) => !paths.has(path) && !path.includes("my_service"))
      .map((path) => `${document}: ${path}`)
  );
  expect(missing).toEqual([]);
});

test("files contain the names that documents place in them", () => {
  const placed = documents.flatMap((document) =>
    [...textOf(document).matchAll(/`(\w+)`\s+in\s+`((?:core|plugins|proto|test)\/[\w./-]*\.\w+)`/g)]
      .map(([, name, path]) => ({ document, name: name!, path: path! }))
  );
  expect(placed.length).toBeGreaterThan(10);
  const missing = placed.filter(({ name, path }) => paths.has(path) && !new RegExp(`\\b${name}\\b`).test(textOf(path)));
  expect(missing).toEqual([]);
});

test("links between documents are valid", () => {
  const broken = documents.flatMap((document) =>
    [...textOf(document).matchAll(/\]\((?!https?:|<|#)([^)#\s]+)(?:#[^)]*)?\)/g)]
      .map(([, target]) => posix.join(posix.dirname(document), target!))
      .filter((target) => !paths.has(target.replace(/\/$/, "")))
      .map((target) => `${document}: ${target}`)
  );
  expect(broken).toEqual([]);
});

test("ARCHITECTURE.md and core/README.md list the rooms of the code, in order", async () => {
  const { ROOMS } = await import("./rooms.ts");
  for (const document of [".github/ARCHITECTURE.md", "core/README.md"]) {
    const [, table] = /\n## Rooms\n([^]*?)(?=\n## |$)/.exec(textOf(document))!;
    expect([...table!.matchAll(/^\| `(\w+)`/gm)].map(([, room]) => room)).toEqual(ROOMS);
  }
});
