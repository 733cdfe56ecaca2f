import ts from "typescript";
import { Implementations } from "./implementations.ts";
import { inner, type Program } from "./program.ts";

/** The arguments of the calls that made a value, by the parameters that got them. */
export type Context = ReadonlyMap<ts.Node, Located>;

/** Code, with what the parameters around it are. */
export interface Located {
  readonly node: ts.Node;
  readonly context: Context;
}

const NOTHING: Context = new Map();
/** Values are followed through this many others at most: some are made of themselves. */
const MAX_DEPTH = 16;

/** Code outside of all calls. */
export function located(node: ts.Node): Located {
  return { node, context: NOTHING };
}

/** Finds the code that a name stands for. */
export class Values {
  readonly #checker: ts.TypeChecker;
  readonly #implementations: Implementations;
  #depth = 0;
  /** The number of searches that were cut short. */
  #cuts = 0;
  readonly #started = new Map<ts.Type, Set<string>>();
  readonly #ofTypes = new Map<ts.Type, Map<string, readonly Located[]>>();

  constructor({ checker, sources }: Program) {
    this.#checker = checker;
    this.#implementations = new Implementations({ checker, sources });
  }

  /** Returns the declaration of a name, behind imports and short forms of properties. */
  symbolOf(name: ts.Node): ts.Symbol | undefined {
    const parent = name.parent;
    const symbol = ts.isShorthandPropertyAssignment(parent)
      ? this.#checker.getShorthandAssignmentValueSymbol(parent)
      : this.#checker.getSymbolAtLocation(name);
    return symbol !== undefined && symbol.flags & ts.SymbolFlags.Alias
      ? this.#checker.getAliasedSymbol(symbol)
      : symbol;
  }

  /** Returns what a name without a receiver stands for. */
  named(name: ts.Identifier, context: Context): readonly Located[] {
    const symbol = this.symbolOf(name);
    if (symbol === undefined) return [];
    return (symbol.declarations ?? []).flatMap((declaration): readonly Located[] => {
      const given = context.get(declaration);
      if (given !== undefined) return [given];
      if (ts.isBindingElement(declaration)) return this.#bound(declaration, context);
      return isCode(declaration) ? [{ node: declaration, context }] : [];
    });
  }

  /** Returns what the property of a receiver stands for. */
  property(receiver: ts.Expression, name: string, context: Context): readonly Located[] {
    const target = inner(receiver);
    if (name.startsWith("#")) return this.#privateMember(target, name);
    if (ts.isIdentifier(target)) {
      const declaration = this.symbolOf(target)?.valueDeclaration;
      const given = declaration === undefined ? undefined : context.get(declaration);
      if (given !== undefined && ts.isExpression(given.node)) {
        const found = this.member(given.node, name, given.context);
        if (found.length > 0) return found;
      }
    }
    if (ts.isCallExpression(target) || ts.isObjectLiteralExpression(target)) {
      const found = this.member(target, name, context);
      if (found.length > 0) return found;
    }
    return this.ofType(this.#checker.getTypeAtLocation(target), name);
  }

  /** Returns what a property of a type stands for: in the literal that has the type, its classes or its providers. */
  ofType(type: ts.Type, name: string): readonly Located[] {
    const known = this.#ofTypes.get(type) ?? new Map<string, readonly Located[]>();
    this.#ofTypes.set(type, known);
    const found = known.get(name);
    if (found !== undefined) return found;
    const started = this.#started.get(type) ?? new Set<string>();
    this.#started.set(type, started);
    if (started.has(name)) {
      // what refers to itself adds nothing
      this.#cuts++;
      return [];
    }
    const cuts = this.#cuts;
    started.add(name);
    const all = this.#findOfType(type, name);
    started.delete(name);
    // What was cut short depends on where the search began, so it is not kept for others.
    if (this.#cuts === cuts || this.#depth === 0) known.set(name, all);
    return all;
  }

  #findOfType(type: ts.Type, name: string): readonly Located[] {
    const plain = this.#checker.getNonNullableType(type);
    if (plain.isUnion()) return plain.types.flatMap((part) => this.ofType(part, name));
    const provided = this.#implementations.provided(plain).flatMap((node) => this.member(node, name, NOTHING));
    if (provided.length > 0) return provided;
    const literal = plain.symbol?.declarations?.find(ts.isObjectLiteralExpression);
    const found = literal === undefined ? [] : this.member(literal, name, NOTHING);
    if (found.length > 0) return found;
    const declarations = plain.getProperty(name)?.declarations ?? [];
    return declarations.flatMap((declaration): readonly Located[] => {
      if (isCode(declaration)) return [located(declaration)];
      const owner = declaration.parent;
      // the rows of the kernel are known by the statement that opens them
      if (/\/core\/(?!auth)/.test(owner.getSourceFile().fileName)) return [];
      if (!ts.isInterfaceDeclaration(owner) && !ts.isTypeLiteralNode(owner)) return [];
      return this.#implementations.of(owner).flatMap((node) => this.member(node, name, NOTHING));
    });
  }

  /** Returns the member of the value of an expression. */
  member(node: ts.Node, name: string, context: Context): readonly Located[] {
    if (this.#depth >= MAX_DEPTH) {
      this.#cuts++;
      return [];
    }
    this.#depth++;
    const found = this.#findMember(node, name, context);
    this.#depth--;
    return found;
  }

  #findMember(node: ts.Node, name: string, context: Context): readonly Located[] {
    const deeper = (next: ts.Node, inContext = context) => this.member(next, name, inContext);
    if (ts.isObjectLiteralExpression(node)) return this.#literalMember(node, name, context);
    if (ts.isClassLike(node)) {
      return node.members.filter((member) => member.name?.getText() === name).map((member) => ({
        node: member,
        context,
      }));
    }
    if (ts.isConditionalExpression(node)) return [...deeper(node.whenTrue), ...deeper(node.whenFalse)];
    if (ts.isNewExpression(node) && ts.isIdentifier(node.expression)) {
      return this.named(node.expression, context).flatMap((found) => deeper(found.node, found.context));
    }
    if (ts.isCallExpression(node)) {
      return this.called(node, context).flatMap(({ node: made, context: inside }) =>
        returned(made).flatMap((value) => deeper(value, inside))
      );
    }
    if (ts.isIdentifier(node)) {
      return this.named(node, context).flatMap((found) => deeper(found.node, found.context));
    }
    if (ts.isVariableDeclaration(node) && node.initializer !== undefined) return deeper(node.initializer);
    if (ts.isPropertyAssignment(node)) return deeper(node.initializer);
    if (ts.isPropertyAccessExpression(node)) {
      return this.property(node.expression, node.name.text, context).flatMap((found) =>
        deeper(found.node, found.context)
      );
    }
    return ts.isExpression(node) && inner(node) !== node ? deeper(inner(node)) : [];
  }

  /** Returns the functions that a call calls, with its arguments as their context. */
  called(call: ts.CallExpression, context: Context): readonly Located[] {
    const callee = inner(call.expression);
    const found = ts.isIdentifier(callee)
      ? this.named(callee, context)
      : ts.isPropertyAccessExpression(callee)
      ? this.property(callee.expression, callee.name.text, context)
      : [];
    return found.flatMap(({ node, context: outer }) => {
      const made = functionOf(node);
      if (made === undefined) return [];
      const inside = new Map(outer);
      made.parameters.forEach((parameter, index) => {
        const argument = call.arguments[index];
        if (argument !== undefined) inside.set(parameter, { node: argument, context });
      });
      return [{ node: made, context: inside }];
    });
  }

  #literalMember(literal: ts.ObjectLiteralExpression, name: string, context: Context): readonly Located[] {
    for (const property of literal.properties.toReversed()) {
      if (ts.isSpreadAssignment(property)) {
        const found = this.member(property.expression, name, context);
        if (found.length > 0) return found;
      } else if (property.name?.getText().replaceAll('"', "") === name) {
        return [{ node: property, context }];
      }
    }
    return [];
  }

  /** Returns a private member: that of the class around the code. */
  #privateMember(around: ts.Node, name: string): readonly Located[] {
    for (let node = around; node !== undefined; node = node.parent) {
      if (ts.isClassLike(node)) return this.member(node, name, NOTHING);
    }
    return [];
  }

  #bound(element: ts.BindingElement, context: Context): readonly Located[] {
    const pattern = element.parent;
    if (!ts.isObjectBindingPattern(pattern)) return [];
    const name = (element.propertyName ?? element.name).getText();
    const holder = pattern.parent;
    const given = context.get(holder);
    if (given !== undefined && element.dotDotDotToken === undefined) {
      const found = this.member(given.node, name, given.context);
      if (found.length > 0 || ts.isObjectLiteralExpression(inner(given.node as ts.Expression))) return found;
    }
    if (ts.isVariableDeclaration(holder) && holder.initializer !== undefined) {
      const found = this.property(holder.initializer, name, context);
      if (found.length > 0) return found;
    }
    return element.dotDotDotToken === undefined ? this.ofType(this.#checker.getTypeAtLocation(pattern), name) : [];
  }
}

/** Returns the function that a declaration is or contains. */
function functionOf(node: ts.Node): ts.SignatureDeclaration | undefined {
  if (ts.isFunctionLike(node)) return node;
  const value = ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node) ? node.initializer : undefined;
  return value === undefined ? undefined : functionOf(inner(value));
}

/** Returns the expressions that a function returns. */
function returned(made: ts.Node): ts.Expression[] {
  if (!ts.isFunctionLike(made) || !("body" in made) || made.body === undefined) return [];
  const body = made.body as ts.Node;
  if (!ts.isBlock(body)) return [inner(body as ts.Expression)];
  const found: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isReturnStatement(node) && node.expression !== undefined) found.push(inner(node.expression));
    if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
  };
  visit(body);
  return found;
}

function isCode(node: ts.Node): boolean {
  return ts.isFunctionDeclaration(node) && node.body !== undefined || ts.isVariableDeclaration(node) ||
    ts.isPropertyAssignment(node) || ts.isMethodDeclaration(node) || ts.isShorthandPropertyAssignment(node) ||
    ts.isGetAccessorDeclaration(node) || ts.isPropertyDeclaration(node) || ts.isClassDeclaration(node);
}
