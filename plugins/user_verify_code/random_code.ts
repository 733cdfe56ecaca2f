/** The number of digits of a code: of 100 million codes, 5 may be tried. */
export const CODE_LENGTH = 8;

const CODES = 10 ** CODE_LENGTH;
// Numbers from here on are discarded: their remainder would favour the first codes.
const FIRST_BIASED = 2 ** 32 - 2 ** 32 % CODES;

/** Returns random digits; each code is equally likely. */
export function randomCode(): string {
  for (;;) {
    const [number] = crypto.getRandomValues(new Uint32Array(1));
    if (number! < FIRST_BIASED) return String(number! % CODES).padStart(CODE_LENGTH, "0");
  }
}
