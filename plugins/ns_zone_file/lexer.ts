import type { LineError } from "./zone_error.ts";

/** A word of a zone file. */
export interface Token {
  /** The text of the file with its escapes, without the enclosing quotes. */
  readonly text: string;
  readonly isQuoted: boolean;
}

/** The tokens of one line, or of several lines within parentheses. */
export interface Entry {
  readonly line: number;
  /** True if the line begins with white space, which means that the owner is omitted. */
  readonly isIndented: boolean;
  readonly tokens: readonly Token[];
}

const SPECIAL = ' \t\n;()"';

/** Splits a zone file into its entries, in one pass. After an error, it continues with the next line. */
export function* entriesOf(file: string): Generator<Entry | LineError> {
  const text = file.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  let at = 0;
  let line = 1;
  while (at < text.length) {
    const start = line;
    const isIndented = text[at] === " " || text[at] === "\t";
    const tokens: Token[] = [];
    let depth = 0;
    let error = "";
    while (at < text.length && error === "") {
      const char = text[at]!;
      if (char === "\n") {
        if (depth === 0) break;
        line++;
        at++;
      } else if (char === " " || char === "\t") at++;
      else if (char === ";") at = lineEnd(text, at);
      else if (char === "(") {
        depth++;
        at++;
      } else if (char === ")") {
        if (--depth < 0) error = "a closing parenthesis without an opening one";
        at++;
      } else {
        const from = at;
        at = char === '"' ? quotedEnd(text, at) : wordEnd(text, at);
        if (at < 0) {
          error = "a quote that does not end on its line, or a backslash at the end of a line";
          at = from;
        } else {
          const isQuoted = char === '"';
          const word = isQuoted ? text.slice(from + 1, at - 1) : text.slice(from, at);
          tokens.push({ text: isQuoted ? word : unquotedValue(word), isQuoted });
        }
      }
    }
    if (error === "" && depth > 0) error = "an opening parenthesis without a closing one";
    if (error !== "") yield { line: start, message: error };
    else if (tokens.length > 0) yield { line: start, isIndented, tokens };
    at = lineEnd(text, at) + 1;
    line++;
  }
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

/** Returns the position after the closing quote, or -1 if there is none on the line. */
function quotedEnd(text: string, from: number): number {
  for (let at = from + 1; at < text.length && text[at] !== "\n"; at++) {
    if (text[at] === '"') return at + 1;
    if (text[at] === "\\" && text[++at] === "\n") return -1;
  }
  return -1;
}

/** Returns the position after a word, which may have a quoted value as in `alpn="h2,h3"`, or -1 if it is invalid. */
function wordEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const char = text[at]!;
    if (char === "\\") {
      if (++at >= text.length || text[at] === "\n") return -1;
    } else if (char === '"' && text[at - 1] === "=") return quotedEnd(text, at);
    else if (SPECIAL.includes(char)) return at;
  }
  return text.length;
}

/** Returns a word without the quotes around its value. */
function unquotedValue(word: string): string {
  if (!word.endsWith('"') || word.endsWith('\\"') && !word.includes('="')) return word;
  const open = word.indexOf('="');
  return open < 0 ? word : word.slice(0, open + 1) + word.slice(open + 2, -1);
}
