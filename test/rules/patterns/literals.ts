import { readFileSync } from "node:fs";
import ts from "typescript";
import { root } from "../generated.ts";
import { projectFiles } from "../sources.ts";

/** A regular expression in the source code. */
export interface Literal {
  readonly path: string;
  readonly text: string;
  readonly expression: RegExp;
}

/** Returns the regular expressions in the code of the server. */
export function expressionLiterals(): Literal[] {
  return serverFiles().flatMap((path) => {
    const found: Literal[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf("/");
        const expression = new RegExp(node.text.slice(1, end), node.text.slice(end + 1));
        found.push({ path, text: node.text, expression });
      }
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(path, textOf(path), ts.ScriptTarget.Latest, true));
    return found;
  });
}

/** Returns the files of the server that are not generated. */
export function serverFiles(): string[] {
  return projectFiles("core", "plugins").filter((path) => path.endsWith(".ts") && !path.endsWith("_pb.ts"));
}

export function textOf(path: string): string {
  return readFileSync(root + path, "utf8");
}
