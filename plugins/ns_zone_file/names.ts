import { plainName } from "./escapes.ts";
import { shown, ZoneError } from "./fault.ts";
import type { Token } from "./lexer.ts";

/** 255 bytes, each of them escaped. */
const LONGEST = 4 * 255;

/** A name of a file, whole, with a dot at the end. `origin` has one too. */
export function wholeName({ text, isQuoted }: Token, origin: string): string {
  if (text === "@" && !isQuoted) return origin;
  if (text === "." || text === "") return nonEmpty(text);
  if (text.length > LONGEST) throw new ZoneError(`${shown(text)} is longer than a name can be`);
  const name = plainName(text);
  if (/(^|[^\\])(\\\\)*\.\.|^\./.test(name)) throw new ZoneError(`${shown(text)} has an empty label`);
  if (endsInDot(name)) return name;
  return origin === "." ? `${name}.` : `${name}.${origin}`;
}

function nonEmpty(name: string): string {
  if (name === "") throw new ZoneError("a name is empty");
  return name;
}

/** Whether the last dot is one, and not an escaped character. */
function endsInDot(name: string): boolean {
  return /(^|[^\\])(\\\\)*\.$/.test(name);
}
