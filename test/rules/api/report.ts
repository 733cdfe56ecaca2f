import { readFileSync } from "node:fs";
import ts from "typescript";
import project from "../../../package.json" with { type: "json" };
import { root } from "../generated.ts";
import { targetOf } from "../sources.ts";
import { deprecations } from "./deprecation.ts";

/** The file that holds the surface of the SDK. */
export const REPORT = "test/rules/api/report.txt";

/** The modules that the package exports by name. */
const INDEXES = Object.values<string>(project.exports).filter((path) => !path.includes("*")).map((path) =>
  path.slice(2)
);
const printer = ts.createPrinter({ removeComments: true });

function parse(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(root + path, "utf8"), ts.ScriptTarget.Latest, true);
}

/** Returns what each module of the package exports, as declarations without comments and bodies, in a steady order. */
export function apiReport(): string {
  return INDEXES.map((index) => `# ${index}\n\n${exportedBy(index).join("\n\n")}\n`).join("\n");
}

function exportedBy(index: string): string[] {
  const exported = parse(index).statements.filter(ts.isExportDeclaration).flatMap((statement) => {
    const { exportClause, moduleSpecifier } = statement;
    if (exportClause === undefined || !ts.isNamedExports(exportClause)) return [];
    const path = targetOf(index, (moduleSpecifier as ts.StringLiteral).text);
    return exportClause.elements.map(({ name, propertyName }) => ({
      name: name.text,
      declared: (propertyName ?? name).text,
      path,
    }));
  });
  return exported.filter(({ path }) => !path.endsWith("_pb.ts"))
    .toSorted((a, b) => a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
    .map(({ name, declared, path }) => {
      const file = parse(path);
      const statements = file.statements.filter((statement) => declares(statement, declared));
      const texts = statements.map((statement) =>
        printer.printNode(ts.EmitHint.Unspecified, bodiless(statement), file)
      );
      const deprecated = statements.flatMap((statement) => deprecations(name, statement));
      return [...name === declared ? [] : [`${name} is:`], ...deprecated, ...texts].join("\n");
    });
}

function declares(statement: ts.Statement, name: string): boolean {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.some((one) => one.name.getText() === name);
  }
  return (statement as { readonly name?: ts.Node }).name?.getText() === name;
}

/** Returns a declaration without the bodies of functions, and a class without its private members. */
function bodiless(statement: ts.Statement): ts.Statement {
  const { factory } = ts;
  if (ts.isFunctionDeclaration(statement)) {
    const { modifiers, asteriskToken, name, typeParameters, parameters, type } = statement;
    return factory.createFunctionDeclaration(
      modifiers,
      asteriskToken,
      name,
      typeParameters,
      parameters,
      type,
      undefined,
    );
  }
  if (!ts.isClassDeclaration(statement)) return statement;
  const { modifiers, name, typeParameters, heritageClauses, members } = statement;
  const visible = members.filter((member) => !isPrivate(member)).map(bodilessMember);
  return factory.createClassDeclaration(modifiers, name, typeParameters, heritageClauses, visible);
}

function isPrivate(member: ts.ClassElement): boolean {
  const isHidden = (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private) !== 0;
  return isHidden || (member.name !== undefined && ts.isPrivateIdentifier(member.name));
}

function bodilessMember(member: ts.ClassElement): ts.ClassElement {
  const { factory } = ts;
  if (ts.isConstructorDeclaration(member)) {
    return factory.createConstructorDeclaration(member.modifiers, member.parameters, undefined);
  }
  if (ts.isGetAccessor(member)) {
    return factory.createGetAccessorDeclaration(
      member.modifiers,
      member.name,
      member.parameters,
      member.type,
      undefined,
    );
  }
  if (!ts.isMethodDeclaration(member)) return member;
  const { modifiers, asteriskToken, name, questionToken, typeParameters, parameters, type } = member;
  return factory.createMethodDeclaration(
    modifiers,
    asteriskToken,
    name,
    questionToken,
    typeParameters,
    parameters,
    type,
    undefined,
  );
}
