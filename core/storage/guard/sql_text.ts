/** A token of SQL: an identifier or keyword, a quoted name or string, or anything else that is one character. */
export interface SqlToken {
  readonly kind: "word" | "quoted" | "other";
  /** The text in lower case, without quotes. */
  readonly text: string;
}

/** The properties of a statement that its text determines. */
export interface SqlText {
  /** The first word, lower case: `select`, `create`. */
  readonly verb: string;
  readonly tokens: readonly SqlToken[];
  /** The number of positional parameters. */
  readonly parameterCount: number;
}

/** The error for SQL that is not exactly one statement. */
export class SqlTextError extends Error {
  override readonly name = "SqlTextError";
}

const LEXEME = new RegExp(
  [
    /(?<blank>[ \t\n\f\r\ufeff]+|--[^\n]*|\/\*[^]*?(?:\*\/|$))/,
    /x'[0-9a-f]*'/,
    /(?<quoted>'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\])/,
    /(?<word>[a-z_\u0080-\uffff][\w$\u0080-\uffff]*)/,
    /(?<parameter>\?\d*)/,
    /(?:\d|\.\d)[\w.]*/,
    /(?<refused>[\0'"`[:@$#])/,
    /[^]/,
  ].map((part) => part.source).join("|"),
  "giy",
);

/**
 * Tokenizes the text of one statement.
 *
 * @throws SqlTextError
 */
export function readSqlText(sql: string): SqlText {
  const tokens: SqlToken[] = [];
  let parameterCount = 0;
  for (const { 0: lexeme, groups } of sql.matchAll(LEXEME)) {
    if (groups?.["blank"] !== undefined) continue;
    if (groups?.["refused"] !== undefined) throw new SqlTextError(errorTextFor(lexeme));
    if (groups?.["parameter"] !== undefined) {
      parameterCount = lexeme === "?" ? parameterCount + 1 : Math.max(parameterCount, Number(lexeme.slice(1)));
    }
    if (groups?.["word"] !== undefined) tokens.push({ kind: "word", text: lexeme.toLowerCase() });
    else if (groups?.["quoted"] !== undefined) tokens.push({ kind: "quoted", text: unquote(lexeme).toLowerCase() });
    else tokens.push({ kind: "other", text: lexeme });
  }
  const [first] = tokens;
  if (first === undefined) throw new SqlTextError("the SQL text contains no statement");
  const end = endOfStatement(tokens);
  if (end < tokens.length) throw new SqlTextError("the SQL text contains more than one statement");
  return { verb: first.text, tokens, parameterCount };
}

function errorTextFor(lexeme: string): string {
  if (lexeme === "\0") return "the SQL text contains a NUL character";
  if (/['"`[]/.test(lexeme)) return `the SQL text contains an unclosed ${lexeme}`;
  return `parameters must be positional: use ? or ?1 instead of ${lexeme}name`;
}

function unquote(lexeme: string): string {
  const quote = lexeme.slice(-1);
  return lexeme.slice(1, -1).replaceAll(quote + quote, quote);
}

/** Returns the index after the statement and its semicolon. The body of a trigger contains semicolons, too. */
function endOfStatement(tokens: readonly SqlToken[]): number {
  const isTrigger = tokens[0]?.text === "create" && tokens.slice(1, 3).some((token) => isWord(token, "trigger"));
  let depth = 0;
  for (const [index, token] of tokens.entries()) {
    if (isTrigger && (isWord(token, "begin") || isWord(token, "case"))) depth++;
    if (isTrigger && isWord(token, "end")) depth--;
    if (token.text === ";" && token.kind === "other" && depth === 0) return index + 1;
  }
  return tokens.length;
}

/** Returns true if a token is the given word, without quotes. */
export function isWord(token: SqlToken | undefined, word: string): boolean {
  return token?.kind === "word" && token.text === word;
}
