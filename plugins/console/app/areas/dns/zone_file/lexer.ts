/** A word of a zone file; a quoted one is never a name. */
export interface Word {
  readonly text: string;
  readonly isQuoted: boolean;
}

/** The words of one record, which may span several lines. */
export interface Entry {
  /** The number of its first line. */
  readonly line: number;
  /** True if it begins with a space, and so has the name of the one before. */
  readonly isIndented: boolean;
  readonly words: readonly Word[];
}

/** True if an entry of the file is not closed. */
export interface Lexed {
  readonly entries: readonly Entry[];
  /** The line of the entry that the file ends in. */
  readonly unclosed?: number;
}

const TOKEN = /"((?:[^"\\]|\\.)*)"|;[^\n]*|[()]|\n|[^\S\n]+|(?:[^\s;()"\\]|\\.)+|[^]/gs;

/** Splits a zone file into the words of its records. */
export function entriesOf(file: string): Lexed {
  const entries: Entry[] = [];
  let line = 1;
  let depth = 0;
  let start = { line, isIndented: false };
  let words: Word[] = [];
  let isFirst = true;
  let unclosed: number | undefined;
  for (const [token, quoted] of `${file.replaceAll("\r\n", "\n")}\n`.matchAll(TOKEN)) {
    if (isFirst) start = { line, isIndented: /^\s/.test(token) };
    isFirst = false;
    if (quoted !== undefined) words.push({ text: quoted, isQuoted: true });
    else if (token === "(") depth++;
    else if (token === ")") depth--;
    else if (token === '"') unclosed ??= line;
    else if (!/^[\s;]/.test(token)) words.push({ text: token, isQuoted: false });
    if (token === "\n" && depth === 0) {
      if (words.length > 0) entries.push({ ...start, words });
      words = [];
      isFirst = true;
    }
    line += token.split("\n").length - 1;
  }
  if (depth !== 0) unclosed ??= start.line;
  return unclosed === undefined ? { entries } : { entries, unclosed };
}
