import type { Problem } from "./fault.ts";

/** A word of a zone file. */
export interface Token {
  /** As the file has it, with its escapes, without the quotes around it. */
  readonly text: string;
  readonly isQuoted: boolean;
}

/** What stands on one line, or on several within parentheses. */
export interface Entry {
  readonly line: number;
  /** Whether it begins with white space, and so leaves out the owner. */
  readonly isIndented: boolean;
  readonly tokens: readonly Token[];
}

const SPECIAL = ' \t\n;()"';

/** Splits a zone file into its entries, in one pass; after a problem it goes on with the next line. */
export function* entriesOf(file: string): Generator<Entry | Problem> {
  const text = file.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  let at = 0;
  let line = 1;
  while (at < text.length) {
    const start = line;
    const isIndented = text[at] === " " || text[at] === "\t";
    const tokens: Token[] = [];
    let depth = 0;
    let fault = "";
    while (at < text.length && fault === "") {
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
        if (--depth < 0) fault = "a closing parenthesis without an opening one";
        at++;
      } else {
        const from = at;
        at = char === '"' ? quotedEnd(text, at) : wordEnd(text, at);
        if (at < 0) {
          fault = "a quote that does not end on its line, or a backslash at the end of a line";
          at = from;
        } else {
          const isQuoted = char === '"';
          const word = isQuoted ? text.slice(from + 1, at - 1) : text.slice(from, at);
          tokens.push({ text: isQuoted ? word : unquotedValue(word), isQuoted });
        }
      }
    }
    if (fault === "" && depth > 0) fault = "an opening parenthesis without a closing one";
    if (fault !== "") yield { line: start, message: fault };
    else if (tokens.length > 0) yield { line: start, isIndented, tokens };
    at = lineEnd(text, at) + 1;
    line++;
  }
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

/** The place after the closing quote; below 0 when there is none on the line. */
function quotedEnd(text: string, from: number): number {
  for (let at = from + 1; at < text.length && text[at] !== "\n"; at++) {
    if (text[at] === '"') return at + 1;
    if (text[at] === "\\" && text[++at] === "\n") return -1;
  }
  return -1;
}

/** The place after a word, which may have a quoted value as in `alpn="h2,h3"`. */
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

/** A word without the quotes around its value. */
function unquotedValue(word: string): string {
  if (!word.endsWith('"') || word.endsWith('\\"') && !word.includes('="')) return word;
  const open = word.indexOf('="');
  return open < 0 ? word : word.slice(0, open + 1) + word.slice(open + 2, -1);
}
