/** A token of SQL: an identifier or keyword, a quoted name or string, or anything else that is one character. */
export interface SqlToken {
  readonly kind: "word" | "quoted" | "other";
  /** Lower case for words and quoted tokens, and without the quotes. */
  readonly text: string;
}

/** What can be told from the text of a statement without a database. */
export interface SqlText {
  /** The first word, lower case: `select`, `create`. */
  readonly verb: string;
  readonly tokens: readonly SqlToken[];
  /** How many positional parameters the statement takes. */
  readonly parameterCount: number;
}

/** SQL that is not one plain statement. */
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

/** Reads the text of one statement; throws {@link SqlTextError} if it is empty or more than one. */
export function readSqlText(sql: string): SqlText {
  const tokens: SqlToken[] = [];
  let parameterCount = 0;
  for (const { 0: lexeme, groups } of sql.matchAll(LEXEME)) {
    if (groups?.["blank"] !== undefined) continue;
    if (groups?.["refused"] !== undefined) throw new SqlTextError(refusal(lexeme));
    if (groups?.["parameter"] !== undefined) {
      parameterCount = lexeme === "?" ? parameterCount + 1 : Math.max(parameterCount, Number(lexeme.slice(1)));
    }
    if (groups?.["word"] !== undefined) tokens.push({ kind: "word", text: lexeme.toLowerCase() });
    else if (groups?.["quoted"] !== undefined) tokens.push({ kind: "quoted", text: unquote(lexeme).toLowerCase() });
    else tokens.push({ kind: "other", text: lexeme });
  }
  const [first] = tokens;
  if (first === undefined) throw new SqlTextError("the SQL text holds no statement");
  const end = endOfStatement(tokens);
  if (end < tokens.length) throw new SqlTextError("the SQL text holds more than one statement");
  return { verb: first.text, tokens, parameterCount };
}

function refusal(lexeme: string): string {
  if (lexeme === "\0") return "the SQL text holds a NUL character";
  if (/['"`[]/.test(lexeme)) return `the SQL text holds an unclosed ${lexeme}`;
  return `parameters are positional: write ? or ?1, not ${lexeme}name`;
}

function unquote(lexeme: string): string {
  const quote = lexeme.slice(-1);
  return lexeme.slice(1, -1).replaceAll(quote + quote, quote);
}

/** Where the tokens after the statement and its semicolon start. The body of a trigger has semicolons of its own. */
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

/** Whether a token is this bare keyword. */
export function isWord(token: SqlToken | undefined, word: string): boolean {
  return token?.kind === "word" && token.text === word;
}
