/** A part of a regular expression. */
export type Part =
  | { readonly kind: "chars"; readonly chars: readonly string[] }
  | { readonly kind: "group"; readonly alternatives: readonly (readonly Part[])[] }
  | { readonly kind: "loop"; readonly part: Part; readonly min: number; readonly isUnbounded: boolean };

/** The characters from which hostile texts are made: one of each kind that expressions tell apart. */
const ALPHABET = [..." \t\n\r\0aAbfxzZ059_-.,:;/\\\"'`!#$%&*+<=>?@()[]{}|~^é"];
/** A quantifier with an upper bound from which it counts as unbounded. */
const MANY = 100;

/** Parses the source of an expression, as far as it matters for what texts it matches. */
export function parseExpression(source: string, flags: string): readonly (readonly Part[])[] {
  let at = 0;
  const simpleFlags = flags.replace(/[gy]/g, "");

  function alternatives(): (readonly Part[])[] {
    const all: Part[][] = [[]];
    while (at < source.length && source[at] !== ")") {
      if (source[at] === "|") {
        at++;
        all.push([]);
      } else {
        const part = quantified();
        if (part !== undefined) all.at(-1)!.push(part);
      }
    }
    return all;
  }

  function quantified(): Part | undefined {
    const part = atom();
    const [text = "", low, comma, high] = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(source.slice(at)) ?? [];
    if (text === "") return part;
    at += text.length;
    if (part === undefined) return undefined;
    const min = low !== undefined ? Number(low) : text[0] === "+" ? 1 : 0;
    const max = low === undefined ? (text[0] === "?" ? 1 : Infinity) : comma === "" ? min : Number(high || Infinity);
    return { kind: "loop", part, min, isUnbounded: max >= MANY };
  }

  function atom(): Part | undefined {
    const char = source[at]!;
    if (char === "(") return group();
    if (char === "^" || char === "$") return void at++;
    const text = char === "[" ? /^\[(?:\\[^]|[^\]\\])*\]/.exec(source.slice(at))![0] : char === "\\" ? escape() : char;
    at += text.length;
    if (/^\\(?:[bB]|[1-9]|k)/.test(text)) return undefined;
    const one = new RegExp(`^${text === "/" ? "\\/" : text}$`, simpleFlags);
    const own = text.length === 1 && text !== "." ? [text] : [];
    return { kind: "chars", chars: [...own, ...ALPHABET.filter((candidate) => one.test(candidate))] };
  }

  function escape(): string {
    return /^\\(?:[pP]\{[^}]*\}|k<\w+>|x[0-9a-f]{2}|u[0-9a-f]{4}|[^])/i.exec(source.slice(at))![0];
  }

  function group(): Part | undefined {
    const [opening] = /^\((?:\?(?:[:=!]|<[=!]|<\w+>))?/.exec(source.slice(at))!;
    at += opening.length;
    const inner = alternatives();
    at++;
    return /[=!]$/.test(opening) ? undefined : { kind: "group", alternatives: inner };
  }

  return alternatives();
}
