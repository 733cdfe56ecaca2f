import { plainName } from "./escapes.ts";
import type { Token } from "./lexer.ts";
import { excerpt, ZoneError } from "./zone_error.ts";

/** The length of 255 bytes that are all escaped. */
const MAX_LENGTH = 4 * 255;

/** Returns a name of a file as an absolute name. Both it and `origin` end with a dot. */
export function absoluteName({ text, isQuoted }: Token, origin: string): string {
  if (text === "@" && !isQuoted) return origin;
  if (text === "." || text === "") return nonEmpty(text);
  if (text.length > MAX_LENGTH) throw new ZoneError(`${excerpt(text)} is longer than a name can be`);
  const name = plainName(text);
  if (/(^|[^\\])(\\\\)*\.\.|^\./.test(name)) throw new ZoneError(`${excerpt(text)} has an empty label`);
  if (endsInDot(name)) return name;
  return origin === "." ? `${name}.` : `${name}.${origin}`;
}

function nonEmpty(name: string): string {
  if (name === "") throw new ZoneError("a name is empty");
  return name;
}

/** Returns true if the name ends with a dot that is not escaped. */
function endsInDot(name: string): boolean {
  return /(^|[^\\])(\\\\)*\.$/.test(name);
}
