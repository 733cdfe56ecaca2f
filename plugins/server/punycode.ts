const [BASE, T_MIN, T_MAX, SKEW, DAMP, INITIAL_BIAS, INITIAL_N] = [36, 1, 26, 38, 700, 72, 128];
const DIGITS = "abcdefghijklmnopqrstuvwxyz0123456789";
const MAX_CODE_POINT = 0x10ffff;

/** Decodes a label in Punycode, without its prefix (RFC 3492). Returns undefined if it is not valid. */
export function decodePunycode(label: string): string | undefined {
  const delimiter = label.lastIndexOf("-");
  const output = Array.from(label.slice(0, Math.max(0, delimiter)), (letter) => letter.codePointAt(0)!);
  let [n, position, bias] = [INITIAL_N, 0, INITIAL_BIAS];
  for (let at = delimiter < 0 ? 0 : delimiter + 1; at < label.length;) {
    const before = position;
    for (let [weight, k] = [1, BASE];; k += BASE) {
      const digit = DIGITS.indexOf(label.charAt(at++) || "?");
      if (digit < 0) return undefined;
      position += digit * weight;
      const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX);
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    const length = output.length + 1;
    bias = adapted(position - before, length, before === 0);
    n += Math.floor(position / length);
    position %= length;
    if (n > MAX_CODE_POINT) return undefined;
    output.splice(position++, 0, n);
  }
  return String.fromCodePoint(...output);
}

function adapted(delta: number, length: number, isFirst: boolean): number {
  let scaled = isFirst ? Math.floor(delta / DAMP) : Math.floor(delta / 2);
  scaled += Math.floor(scaled / length);
  let k = 0;
  for (; scaled > (BASE - T_MIN) * T_MAX / 2; k += BASE) scaled = Math.floor(scaled / (BASE - T_MIN));
  return k + Math.floor((BASE - T_MIN + 1) * scaled / (scaled + SKEW));
}
