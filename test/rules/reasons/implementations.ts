import ts from "typescript";
import type { Program } from "./program.ts";

/** The objects and classes that implement interfaces. */
export class Implementations {
  readonly #byDeclaration = new Map<ts.Node, ts.Node[]>();
  readonly #byContract = new Map<string, ts.Node[]>();
  readonly #names = new Map<ts.Type, string>();
  readonly #checker: ts.TypeChecker;

  constructor({ checker, sources }: Program) {
    this.#checker = checker;
    const visit = (node: ts.Node): void => {
      if (ts.isObjectLiteralExpression(node)) this.#add(checker.getContextualType(node), node);
      if (ts.isClassDeclaration(node)) this.#addClass(node);
      if (ts.isCallExpression(node)) this.#addProvided(node);
      ts.forEachChild(node, visit);
    };
    sources.forEach(visit);
  }

  of(declaration: ts.Node): readonly ts.Node[] {
    return this.#byDeclaration.get(declaration) ?? [];
  }

  /** Returns what plugins provide for the contract with a type. */
  provided(type: ts.Type): readonly ts.Node[] {
    return this.#byContract.get(this.#nameOf(type)) ?? [];
  }

  #nameOf(type: ts.Type): string {
    const known = this.#names.get(type);
    if (known !== undefined) return known;
    const name = this.#checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation);
    this.#names.set(type, name);
    return name;
  }

  #addClass(node: ts.ClassDeclaration): void {
    for (const { types } of node.heritageClauses ?? []) {
      for (const type of types) this.#add(this.#checker.getTypeAtLocation(type), node);
    }
  }

  #addProvided(call: ts.CallExpression): void {
    const [token, implementation] = call.arguments;
    const isProvision = /(?:^|\.)provide$/.test(call.expression.getText()) && implementation !== undefined;
    if (!isProvision) return;
    const shape = this.#checker.getTypeAtLocation(token!).aliasTypeArguments?.[0] ??
      this.#checker.getTypeArguments(this.#checker.getTypeAtLocation(token!) as ts.TypeReference)[0];
    if (shape === undefined) return;
    const name = this.#nameOf(shape);
    this.#byContract.set(name, [...this.#byContract.get(name) ?? [], implementation!]);
  }

  #add(type: ts.Type | undefined, node: ts.Node): void {
    const parts = type === undefined ? [] : type.isUnionOrIntersection() ? type.types : [type];
    for (const declaration of parts.flatMap(({ symbol }) => symbol?.declarations ?? [])) {
      const known = this.#byDeclaration.get(declaration);
      if (known === undefined) this.#byDeclaration.set(declaration, [node]);
      else known.push(node);
    }
  }
}
