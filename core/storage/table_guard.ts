import type { TableScope } from "./engine.ts";
import type { ProgramStep } from "./query_program.ts";
import type { SchemaMap } from "./schema_map.ts";
import { isWord, type SqlText, type SqlToken } from "./sql_text.ts";

/** A statement that its scope does not allow: a defect of the plugin, never the caller's fault. */
export class TableGuardError extends Error {
  override readonly name = "TableGuardError";
}

/** What a scope may do: work with rows, or also change the schema. */
export type GuardMode = "rows" | "migration";

const ROW_VERBS = new Set(["select", "insert", "update", "delete", "replace", "with", "values"]);
const SCHEMA_VERBS = new Set(["create", "alter", "drop"]);
const SCHEMA_OBJECTS = new Set(["table", "index", "trigger", "view", "virtual"]);

/** The modules whose virtual tables exist unasked. json_each and json_tree read nothing but their argument. */
export const REFUSED_MODULES: ReadonlySet<string> = new Set(
  ("bytecode carray dbstat fsdir fts3 fts3tokenize fts4 fts4aux fts5vocab generate_series geopoly rtree rtree_i32 " +
    "sqlite_dbpage sqlite_stmt tables_used vector_top_k").split(" "),
);
/** Functions that reach files, run SQL text, or load code; the driver is built with all of them. */
const REFUSED_FUNCTIONS = new RegExp(
  "^(?:readfile|writefile|lsmode|load_extension|sha3_query|fts3_tokenizer|rtreecheck|sqlite_log|sqlite_crypt|" +
    "sqlite3mc_.*)$",
);
const SCHEMA_ROOT = 1;
const ROOT_IN_REGISTER = 0x10;

/** Whether a statement works with rows, and so leaves the schema as it is. */
export function worksWithRows(text: SqlText): boolean {
  return ROW_VERBS.has(text.verb);
}

/** Refuses a kind of statement that plugins may not run. It comes before EXPLAIN, which some of these would survive. */
export function checkVerb(scope: TableScope, text: SqlText, mode: GuardMode): void {
  if (scope.tables === undefined) return;
  const { tokens, verb } = text;
  if (tokens.some((token) => isWord(token, "rollback"))) {
    throw refusal(scope, "may not roll back: throw an error instead");
  }
  if (worksWithRows(text)) return;
  if (mode === "rows" || !SCHEMA_VERBS.has(verb)) {
    const allowed = mode === "rows" ? ROW_VERBS : [...ROW_VERBS, ...SCHEMA_VERBS];
    throw refusal(scope, `may not run ${verb.toUpperCase()}: allowed are ${[...allowed].join(", ").toUpperCase()}`);
  }
  const object = isWord(tokens[1], "unique") ? tokens[2] : tokens[1];
  if (object?.kind !== "word" || !SCHEMA_OBJECTS.has(object.text)) {
    throw refusal(scope, `may not ${verb} ${object?.text ?? "nothing"}: allowed are ${[...SCHEMA_OBJECTS].join(", ")}`);
  }
  const reserved = tokens.find(({ kind, text }) => kind !== "other" && text.startsWith("sqlite_"));
  if (reserved !== undefined) throw forbidden(scope, reserved.text);
  if (object.text === "virtual") checkVirtualTable(scope, tokens);
}

/** Full text search is the one module, and the table that it takes its content from must be in scope too. */
function checkVirtualTable(scope: TableScope, tokens: readonly SqlToken[]): void {
  const using = tokens.findIndex((token) => isWord(token, "using"));
  if (!isWord(tokens[using + 1], "fts5")) {
    throw refusal(scope, `may not use the module "${tokens[using + 1]?.text ?? ""}": allowed is fts5`);
  }
  for (const [index, token] of tokens.entries()) {
    if (!isWord(token, "content") || tokens[index + 1]?.text !== "=") continue;
    const source = tokens[index + 2]?.text ?? "";
    const declared = [...scope.tables ?? []].some((table) => table.toLowerCase() === source);
    if (source !== "" && !declared) throw forbidden(scope, source);
  }
}

/** Refuses a statement whose compiled program touches a table out of scope. */
export function checkTables(
  scope: TableScope,
  text: SqlText,
  program: readonly ProgramStep[],
  schema: SchemaMap,
): void {
  if (scope.tables === undefined) return;
  const changesSchema = !worksWithRows(text);
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
      // a root page in a register is that of a table or index which the same statement creates
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
  if (table === undefined) throw refusal(scope, `may not use the database ${root.database} at page ${root.page}`);
  // SQLite itself keeps AUTOINCREMENT and statistics there
  const named = text.tokens.some((token) => token.kind !== "other" && token.text === table);
  if (table.startsWith("sqlite_") && !named) return;
  checkName(scope, table, schema);
}

function checkName(scope: TableScope, table: string, schema: SchemaMap): void {
  const allowed = scope.tables?.has(table) || scope.tables?.has(schema.ownerOfShadow(table) ?? "");
  if (!allowed) throw forbidden(scope, table);
}

function checkFunction(scope: TableScope, signature: string): void {
  const name = signature.replace(/\(.*/, "").toLowerCase();
  if (REFUSED_FUNCTIONS.test(name)) throw refusal(scope, `may not use the function "${name}"`);
}

/** A program does not name its virtual tables, so every name that may lead to one must be in scope. */
function checkVirtualNames(scope: TableScope, text: SqlText, schema: SchemaMap): void {
  const words = text.tokens.filter((token) => token.kind !== "other").map((token) => token.text);
  for (const name of schema.namesBehind(words)) {
    const table = schema.virtualTable(name);
    if (table !== undefined) checkName(scope, table, schema);
    else if (REFUSED_MODULES.has(name) || /^(?:pragma|sqlite)_/.test(name)) throw forbidden(scope, name);
  }
}

function forbidden(scope: TableScope, table: string): TableGuardError {
  return refusal(scope, `may not use table "${table}"`);
}

function refusal(scope: TableScope, fault: string): TableGuardError {
  return new TableGuardError(`plugin "${scope.owner}" ${fault}`);
}
