import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { posix } from "node:path";
import ts from "typescript";
import { root } from "./generated.ts";

/** A parsed module. */
export interface Source {
  readonly path: string;
  readonly text: string;
  /** The specifiers of static imports and re-exports. */
  readonly imports: readonly string[];
  /** The specifiers of imports that exist at run time, which excludes type imports. */
  readonly runtimeImports: readonly string[];
  /** The specifiers of dynamic imports; `undefined` for one that is computed. */
  readonly dynamicImports: readonly (string | undefined)[];
  /** The identifiers in use, except member names. */
  readonly identifiers: ReadonlySet<string>;
  readonly hasDecorator: boolean;
}

/** Returns the files below the folders that git tracks or would add. */
export function projectFiles(...folders: readonly string[]): string[] {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate", "-z", "--", ...folders];
  const files = execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\0");
  const deleted = execFileSync("git", ["ls-files", "--deleted", "-z"], { cwd: root, encoding: "utf8" }).split("\0");
  return files.filter((path) => path !== "" && !deleted.includes(path));
}

/** Returns true for a module that is not built from others; generated messages count as modules. */
export function isHandwritten(path: string): boolean {
  return /\.tsx?$/.test(path) && !/^plugins\/[^/]+\/built\//.test(path);
}

export function sources(...folders: readonly string[]): Source[] {
  return projectFiles(...folders).filter(isHandwritten).map(sourceAt);
}

function sourceAt(path: string): Source {
  const text = readFileSync(root + path, "utf8");
  return { path, text, ...readModule(text, path) };
}

/** Parses the text of a module. */
export function readModule(text: string, path = "module.ts"): Omit<Source, "path" | "text"> {
  const imports: string[] = [];
  const runtimeImports: string[] = [];
  const identifiers = new Set<string>();
  const dynamicImports: (string | undefined)[] = [];
  let hasDecorator = false;

  function visit(node: ts.Node): void {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
      const specifier = node.moduleSpecifier;
      if (specifier !== undefined && ts.isStringLiteral(specifier)) {
        imports.push(specifier.text);
        const onlyTypes = ts.isImportDeclaration(node)
          ? node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
          : node.isTypeOnly;
        if (onlyTypes !== true) runtimeImports.push(specifier.text);
      }
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [specifier] = node.arguments;
      dynamicImports.push(specifier !== undefined && ts.isStringLiteral(specifier) ? specifier.text : undefined);
    }
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)) {
      imports.push(node.argument.literal.text);
    }
    if (ts.isDecorator(node)) hasDecorator = true;
    if (ts.isIdentifier(node) && !isMemberName(node)) identifiers.add(node.text);
    ts.forEachChild(node, visit);
  }
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return { imports, runtimeImports, dynamicImports, identifiers, hasDecorator };
}

function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node;
  return (ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent) ||
    ts.isPropertySignature(parent) || ts.isPropertyDeclaration(parent)) && parent.name === node;
}

/** Returns the project path of a relative specifier. */
export function targetOf(path: string, specifier: string): string {
  return specifier.startsWith(".") ? posix.join(posix.dirname(path), specifier) : specifier;
}
