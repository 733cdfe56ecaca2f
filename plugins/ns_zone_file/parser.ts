import type { NSRecordContent } from "../ns_record/contract.ts";
import { entriesOf, type Entry, type Token } from "./lexer.ts";
import { absoluteName } from "./names.ts";
import { dataOf, isSupported } from "./record_data.ts";
import { isTtl, ttlOf } from "./ttl.ts";
import { excerpt, type LineError, ZoneError } from "./zone_error.ts";

/** A record of a file, with absolute names. */
export interface ZoneRecord extends NSRecordContent {
  readonly line: number;
}

/** The records and the errors of a parsed file. */
export interface ZoneFile {
  readonly records: readonly ZoneRecord[];
  readonly errors: readonly LineError[];
}

const CLASSES = ["IN", "CH", "CS", "HS", "ANY", "NONE"];
const MIN_TTL = 1;

/**
 * Parses a zone file.
 *
 * @param domain the name of the domain, without a trailing dot
 * @param maxRecords the number of records after which the next one ends the parsing
 */
export function parseZone(text: string, domain: string, maxRecords = Infinity): ZoneFile {
  const reader = new EntryReader(`${domain}.`);
  const errors: LineError[] = [];
  for (const entry of entriesOf(text)) {
    if ("message" in entry) {
      errors.push(entry);
      continue;
    }
    try {
      reader.read(entry);
    } catch (error) {
      if (!(error instanceof ZoneError)) throw error;
      errors.push({ line: entry.line, message: error.message });
    }
    if (reader.records.length > maxRecords) break;
  }
  return { records: reader.records, errors };
}

/** Reads entries and keeps the state that applies to later lines. */
class EntryReader {
  readonly records: ZoneRecord[] = [];
  #origin: string;
  #owner: string | undefined;
  /** The TTL of `$TTL`, that of the last record with a TTL, and the minimum of the SOA, in order of precedence. */
  readonly #ttl: { directive?: number; last?: number; minimum?: number } = {};

  constructor(origin: string) {
    this.#origin = origin;
  }

  read(entry: Entry): void {
    const [first] = entry.tokens;
    if (!entry.isIndented && !first!.isQuoted && first!.text.startsWith("$")) this.#readDirective(entry.tokens);
    else this.#readRecord(entry);
  }

  #readDirective([directive, value, ...rest]: readonly Token[]): void {
    const name = directive!.text.toUpperCase();
    if (name === "$INCLUDE") throw new ZoneError("$INCLUDE is not supported: insert the text of the other file");
    if (name === "$GENERATE") throw new ZoneError("$GENERATE is not supported: list the records that it generates");
    if (name !== "$ORIGIN" && name !== "$TTL") {
      throw new ZoneError(`the directive ${excerpt(directive!.text)} is not supported`);
    }
    if (value === undefined || rest.length > 0) throw new ZoneError(`${name} must have one value`);
    if (name === "$TTL") this.#ttl.directive = ttlOf(value.text);
    else this.#origin = absoluteName(value, this.#origin);
  }

  #readRecord({ line, isIndented, tokens }: Entry): void {
    let at = 0;
    if (!isIndented) {
      this.#owner = undefined;
      this.#owner = absoluteName(tokens[at++]!, this.#origin);
    }
    let ttl: number | undefined;
    let hasClass = false;
    for (; at < tokens.length; at++) {
      const word = tokens[at]!.text;
      if (ttl === undefined && isTtl(word)) ttl = ttlOf(word);
      else if (!hasClass && CLASSES.includes(word.toUpperCase())) hasClass = isInternet(word);
      else break;
    }
    if (this.#owner === undefined) {
      throw new ZoneError("the owner is missing: no earlier line has a valid owner");
    }
    const type = tokens[at]?.text.toUpperCase();
    if (type === undefined) throw new ZoneError("the type of the record is missing");
    if (!isSupported(type)) throw new ZoneError(`records of type ${excerpt(type)} are not supported`);
    const data = dataOf(type, tokens.slice(at + 1), this.#origin);
    if (type === "SOA") this.#ttl.minimum ??= Number(data.value.split(" ").at(-1));
    if (ttl !== undefined) this.#ttl.last = ttl;
    this.records.push({ ...data, line, type, name: this.#owner, ttl: this.#ttlOr(ttl) });
  }

  /** Returns the TTL of a record; 0 means the default, so a TTL of 0 in the file becomes 1. */
  #ttlOr(own: number | undefined): number {
    const { directive, last, minimum } = this.#ttl;
    const ttl = own ?? directive ?? last ?? minimum;
    return ttl === undefined ? 0 : Math.max(MIN_TTL, ttl);
  }
}

function isInternet(word: string): true {
  if (word.toUpperCase() === "IN") return true;
  throw new ZoneError(`the class must be IN, got ${excerpt(word)}`);
}
