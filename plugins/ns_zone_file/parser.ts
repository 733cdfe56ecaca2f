import type { NSRecordContent } from "../ns_record/contract.ts";
import { type Problem, shown, ZoneError } from "./fault.ts";
import { entriesOf, type Entry, type Token } from "./lexer.ts";
import { wholeName } from "./names.ts";
import { dataOf, isSupported } from "./record_data.ts";
import { isTtl, ttlOf } from "./ttl.ts";

/** A record of a file; names in it are whole. */
export interface ZoneRecord extends NSRecordContent {
  readonly line: number;
}

export interface ZoneFile {
  readonly records: readonly ZoneRecord[];
  readonly problems: readonly Problem[];
}

const CLASSES = ["IN", "CH", "CS", "HS", "ANY", "NONE"];
const SHORTEST_TTL = 1;

/** Reads a zone file of a domain, whose name has no dot at the end; stops when there are more than so many records. */
export function parseZone(text: string, domain: string, mostRecords = Infinity): ZoneFile {
  const reader = new Reader(`${domain}.`);
  const problems: Problem[] = [];
  for (const entry of entriesOf(text)) {
    if ("message" in entry) {
      problems.push(entry);
      continue;
    }
    try {
      reader.read(entry);
    } catch (error) {
      if (!(error instanceof ZoneError)) throw error;
      problems.push({ line: entry.line, message: error.message });
    }
    if (reader.records.length > mostRecords) break;
  }
  return { records: reader.records, problems };
}

/** What holds from line to line. */
class Reader {
  readonly records: ZoneRecord[] = [];
  #origin: string;
  #owner: string | undefined;
  /** What `$TTL` said, what the last record that has a TTL said, and the minimum of the SOA, in order of precedence. */
  readonly #ttl: { stated?: number; last?: number; minimum?: number } = {};

  constructor(origin: string) {
    this.#origin = origin;
  }

  read(entry: Entry): void {
    const [first] = entry.tokens;
    if (!entry.isIndented && !first!.isQuoted && first!.text.startsWith("$")) this.#direct(entry.tokens);
    else this.#record(entry);
  }

  #direct([directive, value, ...rest]: readonly Token[]): void {
    const name = directive!.text.toUpperCase();
    if (name === "$INCLUDE") throw new ZoneError("$INCLUDE is refused: put the text of the other file in its place");
    if (name === "$GENERATE") throw new ZoneError("$GENERATE is refused: write out the records that it stands for");
    if (name !== "$ORIGIN" && name !== "$TTL") throw new ZoneError(`there is no directive ${shown(directive!.text)}`);
    if (value === undefined || rest.length > 0) throw new ZoneError(`${name} must have one value`);
    if (name === "$TTL") this.#ttl.stated = ttlOf(value.text);
    else this.#origin = wholeName(value, this.#origin);
  }

  #record({ line, isIndented, tokens }: Entry): void {
    let at = 0;
    if (!isIndented) {
      this.#owner = undefined;
      this.#owner = wholeName(tokens[at++]!, this.#origin);
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
      throw new ZoneError("there is no owner: no line before this one has one that counts");
    }
    const type = tokens[at]?.text.toUpperCase();
    if (type === undefined) throw new ZoneError("the type of the record is missing");
    if (!isSupported(type)) throw new ZoneError(`records of type ${shown(type)} are not supported`);
    const data = dataOf(type, tokens.slice(at + 1), this.#origin);
    if (type === "SOA") this.#ttl.minimum ??= Number(data.value.split(" ").at(-1));
    if (ttl !== undefined) this.#ttl.last = ttl;
    this.records.push({ ...data, line, type, name: this.#owner, ttl: this.#ttlOr(ttl) });
  }

  /** 0 when the file says nothing: then the default holds. A TTL of 0, which has that meaning here, becomes 1. */
  #ttlOr(own: number | undefined): number {
    const { stated, last, minimum } = this.#ttl;
    const ttl = own ?? stated ?? last ?? minimum;
    return ttl === undefined ? 0 : Math.max(SHORTEST_TTL, ttl);
  }
}

function isInternet(word: string): true {
  if (word.toUpperCase() === "IN") return true;
  throw new ZoneError(`the class must be IN, got ${shown(word)}`);
}
