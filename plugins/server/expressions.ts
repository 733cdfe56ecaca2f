import { invalid } from "edgehelm";

const MAX_LENGTH = 253;
/** The maximum number of characters that a repetition can match: those of a host name. */
const REPETITIONS = 254;
/** The maximum number of ways in which an expression can match a name: two repetitions and a few alternatives. */
const MAX_WAYS = 1_000_000;
const TOO_MANY = MAX_WAYS + 1;

const QUANTIFIER = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/;
const CLASS = /^\[(?:\\[^]|[^\]\\])*\]/;
const GROUP = /^\((?:\?:|\?<[A-Za-z_]\w*>)?/;

/**
 * Checks a regular expression after a tilde. Allowed are literals, classes, groups, alternatives and quantifiers; a group
 * that is repeated must be fixed, without alternatives and quantifiers in it. All others could take exponential time.
 */
export function requireBoundedExpression(field: string, expression: string): void {
  if (expression.length > MAX_LENGTH) {
    throw invalid(field, `must have at most ${MAX_LENGTH} characters, got ${expression.length}`);
  }
  const source = expression.slice(1);
  try {
    new RegExp(source);
  } catch {
    throw invalid(field, `must be a regular expression after ~, got "${expression.slice(0, 60)}"`);
  }
  const parser = new Parser(source);
  const ways = parser.alternatives();
  if (parser.unsupported !== undefined) {
    throw invalid(field, `must not contain ${parser.unsupported}, got "${expression.slice(0, 60)}"`);
  }
  if (ways > MAX_WAYS) {
    throw invalid(field, `must have at most two repetitions and few alternatives, got "${expression.slice(0, 60)}"`);
  }
}

/** Computes an upper bound of the ways in which an expression, which is known to be valid, can match a name. */
class Parser {
  #rest: string;
  /** The first construct that is not allowed. */
  unsupported: string | undefined;

  constructor(source: string) {
    this.#rest = source;
  }

  /** Reads alternatives up to the end of the group. */
  alternatives(): number {
    let ways = this.#sequence();
    while (this.#take("|")) ways += this.#sequence();
    return Math.min(ways, TOO_MANY);
  }

  #sequence(): number {
    let ways = 1;
    while (this.#rest !== "" && !/^[|)]/.test(this.#rest)) ways = Math.min(ways * this.#quantified(), TOO_MANY);
    return ways;
  }

  #quantified(): number {
    const ways = this.#atom();
    const [quantifier = ""] = QUANTIFIER.exec(this.#rest) ?? [];
    this.#skip(quantifier.length);
    if (quantifier === "") return ways;
    if (quantifier.startsWith("?")) return ways + 1;
    if (/^\{[01]\}/.test(quantifier)) return ways;
    if (ways > 1) this.unsupported ??= "a repetition of alternatives or of other repetitions";
    return /^\{\d+\}/.test(quantifier) ? ways : REPETITIONS;
  }

  /** Reads a character, a class or a group. */
  #atom(): number {
    if (this.#rest.startsWith("(")) {
      const [opening] = GROUP.exec(this.#rest)!;
      this.#skip(opening.length);
      if (this.#rest.startsWith("?")) this.unsupported ??= "a look-around group or flags";
      const ways = this.alternatives();
      this.#take(")");
      return ways;
    }
    const [set] = CLASS.exec(this.#rest) ?? [];
    if (set === undefined && /^\\[1-9k]/.test(this.#rest)) this.unsupported ??= "a back reference";
    this.#skip(set?.length ?? (this.#rest.startsWith("\\") ? 2 : 1));
    return 1;
  }

  #take(character: string): boolean {
    if (!this.#rest.startsWith(character)) return false;
    this.#skip(1);
    return true;
  }

  #skip(count: number): void {
    this.#rest = this.#rest.slice(count);
  }
}
