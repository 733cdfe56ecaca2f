import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";
import project from "../../package.json" with { type: "json" };
import { describe, expect, test } from "vitest";
import { root } from "./generated.ts";
import { targetOf } from "./sources.ts";

const MAX_NAMES = 45;
/** The modules that the package exports by name. */
const INDEXES = Object.values<string>(project.exports).filter((path) => !path.includes("*")).map((path) =>
  path.slice(2)
);
/** The modules for plugins; each opens with a page of text and an example, which is also a file. */
const SHELVES = INDEXES.filter((path) => path === "core/mod.ts" || path.startsWith("core/sdk/"));

/** One symbol of the public surface, and where it is declared. */
interface Exported {
  readonly name: string;
  readonly path: string;
}

function parse(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(root + path, "utf8"), ts.ScriptTarget.Latest, true);
}

function exportsOf(index: string): Exported[] {
  return parse(index).statements.filter(ts.isExportDeclaration).flatMap(({ exportClause, moduleSpecifier }) => {
    if (exportClause === undefined || !ts.isNamedExports(exportClause)) return [];
    const path = targetOf(index, (moduleSpecifier as ts.StringLiteral).text);
    return exportClause.elements.map(({ name, propertyName }) => ({ name: (propertyName ?? name).text, path }));
  });
}

/** The declarations of a symbol: an interface and its token share a name. */
function declarationsOf({ name, path }: Exported): ts.Statement[] {
  return parse(path).statements.filter((statement) =>
    ts.isVariableStatement(statement)
      ? statement.declarationList.declarations.some((one) => one.name.getText() === name)
      : (statement as { readonly name?: ts.Node }).name?.getText() === name
  );
}

function docOf(node: ts.Node): ts.JSDoc | undefined {
  return ts.getJSDocCommentsAndTags(node).findLast(ts.isJSDoc);
}

describe.each(INDEXES)("%s", (index) => {
  const exported = exportsOf(index).filter(({ path }) => !path.endsWith("_pb.ts"));

  test("exports what is declared", () => {
    expect(exported.length).toBeGreaterThan(2);
    expect(exported.filter((one) => declarationsOf(one).length === 0)).toEqual([]);
  });

  test("documents every symbol", () => {
    const silent = exported.filter((one) => declarationsOf(one).every((node) => docOf(node) === undefined));
    expect(silent).toEqual([]);
  });

  test("shows an example of every function", () => {
    const functions = exported.flatMap((one) =>
      declarationsOf(one).filter(ts.isFunctionDeclaration).map((node) => ({ ...one, node }))
    );
    const silent = functions.filter(({ node }) => !docOf(node)?.getText().includes("@example"));
    expect(silent.map(({ path, name }) => `${path}: ${name}`)).toEqual([]);
  });
});

test(`edgehelm exports at most ${MAX_NAMES} names`, () => {
  expect(exportsOf("core/mod.ts").length).toBeLessThanOrEqual(MAX_NAMES);
});

test("every file of the SDK is a shelf that the package exports", () => {
  const files = readdirSync(`${root}core/sdk`).map((file) => `core/sdk/${file}`);
  expect(files.sort()).toEqual(SHELVES.filter((path) => path !== "core/mod.ts").sort());
});

test("no symbol is exported by two shelves", () => {
  const names = SHELVES.flatMap(exportsOf).map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

describe.each(SHELVES)("%s", (shelf) => {
  const name = shelf.split("/").at(-1)!.replace(".ts", "");

  test("opens with a page of text and an example", () => {
    const page = /^\/\*\*\n([\s\S]*?)\n \*\//.exec(readFileSync(root + shelf, "utf8"))?.[1] ?? "";
    const lines = page.split("\n").map((line) => line.slice(3));
    const [text, code] = lines.join("\n").split("@example\n```ts\n");
    expect(text!.length).toBeGreaterThan(400);
    expect(code?.split("```")[0]).toBe(readFileSync(`${root}test/core/sdk/examples/${name}.ts`, "utf8"));
  });

  test("its example runs", async () => {
    await import(`../core/sdk/examples/${name}.ts`);
  });
});

test("the guide shows the example of a list, which runs", async () => {
  const guide = readFileSync(`${root}core/guides/plugins.md`, "utf8");
  const [, shown] = /\n## Lists\n[^]*?```ts\n([^]*?)```/.exec(guide)!;
  expect(shown).toBe(readFileSync(`${root}test/core/sdk/examples/lists.ts`, "utf8"));
  await import("../core/sdk/examples/lists.ts");
});
