import type { SqlStatement, TableScope } from "../engine.ts";
import type { ProgramStep } from "./query_program.ts";
import type { SchemaMap } from "./schema_map.ts";
import { isWord, type SqlText, type SqlToken } from "./sql_text.ts";
import { type Work, workOf } from "./work_bound.ts";

/** The error for a statement that its scope does not allow: a defect of the plugin, not an error of the caller. */
export class TableGuardError extends Error {
  override readonly name = "TableGuardError";
}

/** The statements that a scope may run: those that access rows, or also those that change the schema. */
export type GuardMode = "rows" | "migration";

const ROW_VERBS = new Set(["select", "insert", "update", "delete", "replace", "with", "values"]);
const SCHEMA_VERBS = new Set(["create", "alter", "drop"]);
const SCHEMA_OBJECTS = new Set(["table", "index", "trigger", "view", "virtual"]);

/** The modules with implicit virtual tables, other than json_each and json_tree, which only read their argument. */
export const REFUSED_MODULES: ReadonlySet<string> = new Set(
  ("bytecode carray dbstat fsdir fts3 fts3tokenize fts4 fts4aux fts5vocab generate_series geopoly rtree rtree_i32 " +
    "sqlite_dbpage sqlite_stmt tables_used vector_top_k").split(" "),
);
/** Functions of the driver that access files, run SQL text or load code. */
const REFUSED_FUNCTIONS = new RegExp(
  "^(?:readfile|writefile|lsmode|load_extension|sha3_query|fts3_tokenizer|rtreecheck|sqlite_log|sqlite_crypt|" +
    "sqlite3mc_.*)$",
);
const SCHEMA_ROOT = 1;
const MAX_SHOWN = 1000;
const ROOT_IN_REGISTER = 0x10;

/** Returns true if a statement accesses rows and does not change the schema. */
export function worksWithRows(text: SqlText): boolean {
  return ROW_VERBS.has(text.verb);
}

/** Refuses the kinds of statements that plugins may not run. Called before EXPLAIN, which accepts some of them. */
export function checkVerb(scope: TableScope, text: SqlText, mode: GuardMode): void {
  if (scope.tables === undefined) return;
  const { tokens, verb } = text;
  if (tokens.some((token) => isWord(token, "rollback"))) {
    throw guardError(scope, "may not roll back: throw an error instead");
  }
  if (worksWithRows(text)) return;
  if (mode === "rows" || !SCHEMA_VERBS.has(verb)) {
    const allowed = mode === "rows" ? ROW_VERBS : [...ROW_VERBS, ...SCHEMA_VERBS];
    throw guardError(scope, `may not run ${verb.toUpperCase()}: allowed are ${[...allowed].join(", ").toUpperCase()}`);
  }
  const object = isWord(tokens[1], "unique") ? tokens[2] : tokens[1];
  if (object?.kind !== "word" || !SCHEMA_OBJECTS.has(object.text)) {
    throw guardError(
      scope,
      `may not ${verb} ${object?.text ?? "nothing"}: allowed are ${[...SCHEMA_OBJECTS].join(", ")}`,
    );
  }
  const reserved = tokens.find(({ kind, text }) => kind !== "other" && text.startsWith("sqlite_"));
  if (reserved !== undefined) throw forbidden(scope, reserved.text);
  if (object.text === "virtual") checkVirtualTable(scope, tokens);
}

/** Allows only full text search, whose content table must also be in scope. */
function checkVirtualTable(scope: TableScope, tokens: readonly SqlToken[]): void {
  const using = tokens.findIndex((token) => isWord(token, "using"));
  if (!isWord(tokens[using + 1], "fts5")) {
    throw guardError(scope, `may not use the module "${tokens[using + 1]?.text ?? ""}": allowed is fts5`);
  }
  for (const source of contentTables(tokens)) {
    const declared = [...scope.tables ?? []].some((table) => table.toLowerCase() === source);
    if (!declared) throw forbidden(scope, source);
  }
}

/** Returns the tables, in lower case, whose rows a new table for full text search reads. */
function contentTables(tokens: readonly SqlToken[]): string[] {
  return tokens.flatMap((token, index) => {
    const source = tokens[index + 2]?.text ?? "";
    return isWord(token, "content") && tokens[index + 1]?.text === "=" && source !== "" ? [source] : [];
  });
}

/** Refuses a statement whose compiled program accesses a table outside its scope. */
export function checkTables(
  scope: TableScope,
  text: SqlText,
  program: readonly ProgramStep[],
  schema: SchemaMap,
): void {
  if (scope.tables === undefined) return;
  const changesSchema = !worksWithRows(text);
  if (changesSchema) {
    for (const source of contentTables(text.tokens)) {
      if (schema.ownerOfShadow(source) !== undefined) checkName(scope, source, schema);
    }
  }
  let opensVirtual = false;
  for (const step of program) {
    const root = rootOf(step);
    if (root !== undefined) checkRoot(scope, text, root, schema, changesSchema);
    else if (/^(?:DropTable|VDestroy)$/.test(step.opcode)) checkName(scope, step.p4, schema);
    else if (/Func|^AggStep|^AggInverse/.test(step.opcode)) checkFunction(scope, step.p4);
    opensVirtual ||= step.opcode === "VOpen" || step.opcode === "VUpdate";
  }
  if (opensVirtual) checkVirtualNames(scope, text, schema);
}

interface Root {
  readonly page: number;
  readonly database: number;
}

function rootOf({ opcode, p1, p2, p3, p5 }: ProgramStep): Root | undefined {
  switch (opcode) {
    case "OpenRead":
    case "OpenWrite":
    case "ReopenIdx":
      // a root page in a register belongs to a table or index that the same statement creates
      return (p5 & ROOT_IN_REGISTER) === 0 ? { page: p2, database: p3 } : undefined;
    case "Clear":
      return { page: p1, database: p2 };
    case "Destroy":
      return { page: p1, database: p3 };
    default:
      return undefined;
  }
}

function checkRoot(scope: TableScope, text: SqlText, root: Root, schema: SchemaMap, changesSchema: boolean): void {
  if (root.page === SCHEMA_ROOT && changesSchema) return;
  if (root.page === SCHEMA_ROOT) throw forbidden(scope, "sqlite_master");
  const table = root.database === 0 ? schema.tableAt(root.page) : undefined;
  if (table === undefined) throw guardError(scope, `may not use the database ${root.database} at page ${root.page}`);
  // SQLite itself accesses its tables for AUTOINCREMENT and statistics
  const named = text.tokens.some((token) => token.kind !== "other" && token.text === table);
  if (table.startsWith("sqlite_") && !named) return;
  checkName(scope, table, schema);
}

function checkName(scope: TableScope, table: string, schema: SchemaMap): void {
  // A shadow table holds the rows of its virtual table, so listing its name gives no access to it.
  if (!scope.tables?.has(schema.ownerOfShadow(table) ?? table)) throw forbidden(scope, table);
}

function checkFunction(scope: TableScope, signature: string): void {
  const name = signature.replace(/\(.*/, "").toLowerCase();
  if (REFUSED_FUNCTIONS.test(name)) throw guardError(scope, `may not use the function "${name}"`);
}

/** Derives the work of a statement in its scope from its compiled program. */
export function workIn(
  scope: TableScope,
  text: SqlText,
  program: readonly ProgramStep[],
  schema: SchemaMap,
): Work {
  return workOf(program, {
    tableAt: (rootPage) => schema.tableAt(rootPage),
    searchesText: searchesText(text, schema),
    smallTables: scope.smallTables,
  });
}

/** Returns the error of a statement that a transaction refuses, because it could hold up every other write. */
export function workError(
  { sql, scope, recursive }: SqlStatement,
  { bound, table }: Work,
): TableGuardError | undefined {
  if (scope.tables === undefined || bound === "bounded" || bound === "keyed") return undefined;
  if (bound === "endless" && recursive !== undefined) return undefined;
  const [what, advice] = bound === "endless"
    ? ["run a recursive query", "read before the transaction, or set the option recursive to the reason why it ends"]
    : table === undefined
    ? ["search texts", "search before the transaction"]
    : [
      `visit the whole table "${table}", or a range of it,`,
      "use an index with equality, or a LIMIT on an index, or read before the transaction, or declare a table that " +
      "stays small in smallTables of plugin.json",
    ];
  const shown = sql.slice(0, MAX_SHOWN);
  return guardError(
    scope,
    `may not ${what} in a transaction, where it could hold up every other write: ${advice}: ${shown}`,
  );
}

/** Returns true if a statement may read a virtual table other than json_each and json_tree. */
export function searchesText(text: SqlText, schema: SchemaMap): boolean {
  const names = schema.namesBehind(text.tokens.filter(({ kind }) => kind !== "other").map(({ text }) => text));
  return [...names].some((name) => schema.virtualTable(name) !== undefined || REFUSED_MODULES.has(name));
}

/** Checks every name that may refer to a virtual table, because the program does not name its virtual tables. */
function checkVirtualNames(scope: TableScope, text: SqlText, schema: SchemaMap): void {
  const words = text.tokens.filter((token) => token.kind !== "other").map((token) => token.text);
  for (const name of schema.namesBehind(words)) {
    const table = schema.virtualTable(name);
    if (table !== undefined) checkName(scope, table, schema);
    else if (REFUSED_MODULES.has(name) || /^(?:pragma|sqlite)_/.test(name)) throw forbidden(scope, name);
  }
}

function forbidden(scope: TableScope, table: string): TableGuardError {
  return guardError(scope, `may not use table "${table}"`);
}

function guardError(scope: TableScope, rule: string): TableGuardError {
  return new TableGuardError(`plugin "${scope.owner}" ${rule}`);
}
