import { Buffer } from "node:buffer";

/** A byte sequence that shows a secret, and how it is written there. */
interface Needle {
  readonly secret: string;
  readonly form: string;
  /** One character for each byte, since texts are searched faster than bytes. */
  readonly bytes: string;
}

/** Secrets in the forms in which a file may contain them. */
export class Needles {
  readonly #needles: Needle[] = [];
  readonly #names = new Set<string>();

  get size(): number {
    return this.#names.size;
  }

  /** @param core a part of the secret, of at least 12 letters and digits, which no encoding of texts changes */
  add(secret: string, core: string): void {
    if (!/^[A-Za-z0-9+/=_.-]{12,}$/.test(core)) throw new Error(`not a part of a secret to look for: ${core}`);
    this.#names.add(secret);
    const plain = Buffer.from(core);
    const add = (form: string, text: string) => this.#needles.push({ secret, form, bytes: text });
    add("plain", core);
    add("hex", plain.toString("hex"));
    add("hex in capitals", plain.toString("hex").toUpperCase());
    // In a longer text, a secret begins at any of the three bytes of a base64 group; only whole groups are certain.
    for (let offset = 0; offset < 3; offset++) {
      const whole = plain.subarray((3 - offset) % 3);
      add("base64", whole.subarray(0, whole.length - whole.length % 3).toString("base64"));
    }
    const decoded = Buffer.from(core, "base64");
    if (decoded.toString("base64") === core) {
      this.#needles.push({ secret, form: "decoded", bytes: decoded.toString("latin1") });
    }
  }

  /** Returns what a content shows, such as `password of a user (hex)`. */
  find(content: Uint8Array): string[] {
    const text = Buffer.from(content.buffer, content.byteOffset, content.length).toString("latin1");
    const found = this.#needles.filter(({ bytes }) => text.includes(bytes));
    return [...new Set(found.map(({ secret, form }) => `${secret} (${form})`))];
  }
}
