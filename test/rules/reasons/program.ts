import { readdirSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { root } from "../generated.ts";

/** The sources of the kernel and of all plugins, with their types. */
export interface Program {
  readonly checker: ts.TypeChecker;
  readonly sources: readonly ts.SourceFile[];
}

/** Reads the sources with the settings of the project. */
export function readProgram(): Program {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const files = readdirSync(join(root, "plugins"), { recursive: true }).map(String)
    .filter((path) => /^\w+\/(?:plugin|contract|contract\/\w+)\.ts$/.test(path)).map((path) =>
      join(root, "plugins", path)
    );
  const program = ts.createProgram(files, options);
  const isOwn = (path: string) => /\/(?:core|plugins)\//.test(path.slice(root.length - 1)) && !path.endsWith("_pb.ts");
  const sources = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(root) && isOwn(fileName));
  return {
    checker: program.getTypeChecker(),
    sources: sources.filter(({ fileName }) => !fileName.includes("node_modules")),
  };
}

/** Calls `visit` for a node and everything in it. */
export function eachNode(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => eachNode(child, visit));
}

/** Returns the name that a call calls: `serve` for `serve(…)` and for `setup.serve(…)`. */
export function calledName({ expression }: ts.CallExpression): string {
  if (ts.isPropertyAccessExpression(expression)) return expression.name.text;
  return ts.isIdentifier(expression) ? expression.text : "";
}

/** Returns an expression without parentheses, assertions and `await`. */
export function inner(node: ts.Expression): ts.Expression {
  const isWrapped = ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node) || ts.isAwaitExpression(node);
  return isWrapped ? inner(node.expression) : node;
}
