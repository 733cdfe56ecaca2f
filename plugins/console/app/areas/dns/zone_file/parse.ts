import { entriesOf, type Entry, type Word } from "./lexer.ts";

/** A record of a zone file. */
export interface FileRecord {
  /** Absolute, such as `www.example.com.`. */
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly data: string;
}

/** The records of a zone file, and the lines that contain none. */
export interface ParsedFile {
  readonly records: readonly FileRecord[];
  readonly badLines: readonly number[];
}

const DEFAULT_TTL = 600;
const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };
/** The words of the data that are names, by type. */
const NAMES: Readonly<Record<string, readonly number[]>> = {
  CNAME: [0],
  NS: [0],
  PTR: [0],
  MX: [1],
  SRV: [3],
  SOA: [0, 1],
  HTTPS: [1],
  SVCB: [1],
};

/** Reads the records of a zone file, to show what it would change. The server decides what it accepts. */
export function parseFile(text: string, domain: string): ParsedFile {
  const { entries, unclosed } = entriesOf(text);
  const records: FileRecord[] = [];
  const badLines = unclosed === undefined ? [] : [unclosed];
  const state: State = { origin: `${domain}.`, owner: `${domain}.`, ttl: undefined, last: undefined };
  for (const entry of entries) {
    if (isDirective(entry)) readDirective(entry, state);
    else {
      const record = recordOf(entry, state);
      if (record === undefined) badLines.push(entry.line);
      else records.push(record);
    }
  }
  return { records, badLines };
}

interface State {
  origin: string;
  owner: string;
  /** That of `$TTL`, and that of the last record with one. */
  ttl: number | undefined;
  last: number | undefined;
}

function isDirective({ isIndented, words: [first] }: Entry): boolean {
  return !isIndented && !first!.isQuoted && first!.text.startsWith("$");
}

function readDirective({ words: [name, value] }: Entry, state: State): void {
  if (value === undefined) return;
  if (name!.text.toUpperCase() === "$ORIGIN") state.origin = absolute(value.text, state.origin);
  if (name!.text.toUpperCase() === "$TTL") state.ttl = secondsOf(value.text);
}

function recordOf({ isIndented, words }: Entry, state: State): FileRecord | undefined {
  const rest = [...words];
  if (!isIndented) state.owner = absolute(rest.shift()!.text, state.origin);
  let ttl: number | undefined;
  // the TTL and the class stand before the type in either order
  for (let word = rest[0]; word !== undefined && !word.isQuoted; word = rest[0]) {
    const seconds = secondsOf(word.text);
    if (seconds === undefined && word.text.toUpperCase() !== "IN") break;
    ttl ??= seconds;
    rest.shift();
  }
  const type = rest.shift()?.text.toUpperCase();
  if (type === undefined || !/^[A-Z]+\d*$/.test(type) || rest.length === 0) return undefined;
  if (ttl !== undefined) state.last = ttl;
  return {
    name: state.owner,
    type,
    ttl: ttl ?? state.ttl ?? state.last ?? DEFAULT_TTL,
    data: dataOf(type, rest, state.origin),
  };
}

function dataOf(type: string, words: readonly Word[], origin: string): string {
  if (type === "TXT") return words.map(({ text }) => text).join("");
  const texts = words.map(({ text }, index) => NAMES[type]?.includes(index) ? absolute(text, origin) : text);
  return type === "AAAA" ? canonicalIPv6(texts.join(" ")) : texts.join(" ");
}

function absolute(name: string, origin: string): string {
  const lower = name.toLowerCase();
  if (lower === "@") return origin;
  if (lower.endsWith(".")) return lower;
  return origin === "." ? `${lower}.` : `${lower}.${origin}`;
}

/** Reads `3600` or `1h30m`; undefined for what is no time. */
function secondsOf(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  if (!/^(\d+[smhdw])+$/i.test(text)) return undefined;
  let seconds = 0;
  let value = 0;
  for (const [part] of text.toLowerCase().matchAll(/\d+|\D/g)) {
    const unit = UNITS[part];
    if (unit === undefined) value = Number(part);
    else seconds += value * unit;
  }
  return seconds;
}

function canonicalIPv6(text: string): string {
  try {
    return new URL(`http://[${text}]`).hostname.slice(1, -1);
  } catch {
    return text;
  }
}
