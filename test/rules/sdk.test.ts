import { readFileSync } from "node:fs";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { root } from "./generated.ts";
import { targetOf } from "./sources.ts";

const INDEXES = ["core/mod.ts", "core/edge/mod.ts", "test/harness/mod.ts"];

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
