import ts from "typescript";
import { calledName, eachNode, inner, type Program } from "./program.ts";
import { type Context, type Located, Values } from "./values.ts";

/** Functions that declare errors, whose first argument is the plugin. */
const DECLARATIONS = ["defineErrors", "rowErrors"];
/** The rooms of the kernel whose errors operations cause. What the others throw belongs to every operation. */
const ROOMS = /\/core\/(?:fields|plugin_api|storage\/rows|storage\/lists|auth)\/|\/core\/base\/errors\.ts$|\/plugins\//;

/** The interfaces of rows of the kernel, and their methods that refuse ids of nothing. */
const ROWS = /\/core\/storage\/rows\//;
const REQUIRING = ["require", "requireAll"];
/** The same code is read for other arguments up to this many times. */
const MAX_CONTEXTS = 4;

/** The operations of a plugin with the reasons of their errors, by path. */
export type PluginReasons = ReadonlyMap<string, ReadonlySet<string>>;

/** The errors that code throws itself, and the code to which it leads. */
interface Reading {
  readonly reasons: Set<string>;
  readonly values: Located[];
}

/** Derives from the code of plugins which errors each operation may give. */
export class Reasons {
  readonly #values: Values;
  readonly #checker: ts.TypeChecker;
  readonly #readings = new Map<ts.Node, Reading>();

  constructor(program: Program) {
    this.#values = new Values(program);
    this.#checker = program.checker;
  }

  /** Returns the reasons of all operations that `plugin.ts` serves. */
  of(plugin: ts.SourceFile): PluginReasons {
    const reasons = new Map<string, ReadonlySet<string>>();
    eachNode(plugin, (node) => {
      if (!ts.isCallExpression(node) || calledName(node) !== "serve" || node.arguments.length !== 2) return;
      const [service, handlers] = node.arguments;
      for (const [path, method] of this.#methods(service!)) {
        const found = this.#values.member(handlers!, method, new Map());
        if (found.length === 0) throw new Error(`${plugin.fileName}: no handler of ${path} was found`);
        const collected = new Set<string>();
        this.#collect(found, collected);
        reasons.set(path, new Set([...collected].sort()));
      }
    });
    return reasons;
  }

  #methods(service: ts.Expression): [path: string, method: string][] {
    const name = service.getText().replace(/^.*\./, "");
    const shape = this.#checker.getTypeAtLocation(service).getProperty("method")!;
    const methods = this.#checker.getTypeOfSymbolAtLocation(shape, service).getProperties();
    return methods.map(({ name: method }) => [`/${name}/${method}`, method]);
  }

  #collect(from: readonly Located[], reasons: Set<string>): void {
    const seen = new Map<ts.Node, number>();
    const waiting = [...from];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const times = seen.get(next.node) ?? 0;
      // the same code is read again for other arguments, a few times
      if (times >= MAX_CONTEXTS || times > 0 && next.context.size === 0 || !this.#isRead(next.node)) continue;
      seen.set(next.node, times + 1);
      const { reasons: own, values } = this.#readOnce(next);
      for (const reason of own) reasons.add(reason);
      waiting.push(...values);
    }
  }

  #readOnce({ node, context }: Located): Reading {
    const known = context.size === 0 ? this.#readings.get(node) : undefined;
    if (known !== undefined) return known;
    const reading: Reading = { reasons: new Set(), values: [] };
    if (context.size === 0) this.#readings.set(node, reading);
    this.#read(node, context, reading.reasons, reading.values);
    return reading;
  }

  #isRead(node: ts.Node): boolean {
    const { fileName } = node.getSourceFile();
    return ROOMS.test(fileName) && !fileName.endsWith("_pb.ts");
  }

  #read(node: ts.Node, context: Context, reasons: Set<string>, waiting: Located[]): void {
    const visit = (child: ts.Node): void => {
      if (ts.isTypeNode(child)) return;
      if (ts.isPropertyAccessExpression(child)) {
        const reason = this.#reasonOf(child);
        if (reason !== undefined) return void reasons.add(reason);
        if (ts.isCallExpression(child.parent) && child.parent.expression === child) {
          waiting.push(...this.#values.called(child.parent, context));
        } else waiting.push(...this.#values.property(child.expression, child.name.text, context));
        const missing = this.#missingRow(child);
        if (missing !== undefined) reasons.add(missing);
        return visit(child.expression);
      }
      if (ts.isIdentifier(child)) {
        const { parent } = child;
        const isDeclared = ts.isParameter(parent) && parent.name === child;
        const isKey = (ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent)) && parent.name === child;
        if (isDeclared || isKey) return;
        const isCalled = ts.isCallExpression(parent) && parent.expression === child;
        const found = isCalled ? this.#values.called(parent, context) : this.#values.named(child, context);
        waiting.push(...found.filter(({ node: value }) => !isErrors(value) && !ts.isClassDeclaration(value)));
        return;
      }
      ts.forEachChild(child, visit);
    };
    const start = ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node) ? node.initializer : node;
    if (start !== undefined) visit(start);
  }

  /** Returns the reason of `rows.require` for rows whose opening statement is unknown, such as those in a type. */
  #missingRow({ expression, name }: ts.PropertyAccessExpression): string | undefined {
    if (!REQUIRING.includes(name.text)) return undefined;
    const [declaration] = this.#values.symbolOf(name)?.declarations ?? [];
    if (declaration === undefined || !ROWS.test(declaration.getSourceFile().fileName)) return undefined;
    const [, folder, plugin] = /^(.*\/plugins\/(\w+)\/)/.exec(expression.getSourceFile().fileName) ?? [];
    const text = folder === undefined ? "" : ts.sys.readFile(`${folder}errors.ts`) ?? "";
    return /rowErrors\(|\bnot_found:/.test(text) ? `${plugin}.not_found` : undefined;
  }

  /** Returns the reason that `errors.name_taken` stands for. */
  #reasonOf({ expression, name }: ts.PropertyAccessExpression): string | undefined {
    if (!ts.isIdentifier(expression)) return undefined;
    const declaration = this.#values.symbolOf(expression)?.valueDeclaration;
    if (declaration === undefined || !isErrors(declaration)) return undefined;
    const [owner] = (inner((declaration as ts.VariableDeclaration).initializer!) as ts.CallExpression).arguments;
    return `${(owner as ts.StringLiteral).text}.${name.text}`;
  }
}

/** Returns true for `const errors = defineErrors(…)`. */
export function isErrors(node: ts.Node): boolean {
  if (!ts.isVariableDeclaration(node) || node.initializer === undefined) return false;
  const value = inner(node.initializer);
  return ts.isCallExpression(value) && DECLARATIONS.includes(calledName(value));
}
