/** Lowers ASCII letters only, like LIKE in SQLite. */
export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/**
 * Returns a function that tests whether a host matches one with wildcards *. It looks for each part once, from left to
 * right, so that its time does not depend on the number of ways in which the parts might fit.
 */
export function hostMatcher(pattern: string): (host: string) => boolean {
  const [first = "", ...rest] = lowerAscii(pattern).split("*");
  const last = rest.pop();
  if (last === undefined) return (host) => lowerAscii(host) === first;
  return (host) => {
    const text = lowerAscii(host);
    const end = text.length - last.length;
    if (!text.startsWith(first) || !text.endsWith(last)) return false;
    let at = first.length;
    for (const part of rest) {
      const found = text.indexOf(part, at);
      if (found === -1) return false;
      at = found + part.length;
    }
    return at <= end;
  };
}
