import { hexText } from "../base/hex.ts";
import { StartupError } from "../base/startup_error.ts";
import { decodeBase64url, encodeBase64url } from "./base64url.ts";
import { AesSealer, type Sealer } from "./sealer.ts";

const KEY_BYTES = 32;
const ID_BYTES = 8;
const CHECK_MESSAGE = "edgehelm installation key";

/** The secret key of an installation. It is stored outside the database, whose sealed values it encrypts. */
export class InstallationKey {
  /** Identifies the key. It is not secret: it may be logged, and every sealed value contains it. */
  readonly id: string;
  readonly sealer: Sealer;
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #root: CryptoKey;
  readonly #checkKey: CryptoKey;

  private constructor(
    bytes: Uint8Array<ArrayBuffer>,
    root: CryptoKey,
    id: string,
    sealer: Sealer,
    checkKey: CryptoKey,
  ) {
    this.#bytes = bytes;
    this.#root = root;
    this.id = id;
    this.sealer = sealer;
    this.#checkKey = checkKey;
  }

  /**
   * Reads a key of 32 bytes from base64, base64url or hexadecimal text. Surrounding whitespace is ignored.
   *
   * @param source the setting that the text comes from, such as `EDGEHELM_KEY`; named in the error
   * @throws StartupError if the text is not a key
   */
  static async fromText(text: string, source: string): Promise<InstallationKey> {
    const bytes = decodeKey(text.trim());
    if (bytes === undefined) {
      throw new StartupError(
        `${source} must be an installation key: ${KEY_BYTES} bytes as base64, base64url or hexadecimal text ` +
          `(44, 43 or 64 characters), got ${text.trim().length} characters`,
      );
    }
    return await InstallationKey.fromBytes(bytes);
  }

  /** @param bytes 32 bytes from a cryptographic random source */
  static async fromBytes(bytes: Uint8Array<ArrayBuffer>): Promise<InstallationKey> {
    if (bytes.length !== KEY_BYTES) throw new RangeError(`an installation key has ${KEY_BYTES} bytes`);
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    const id = hexText(digest.subarray(0, ID_BYTES));
    const root = await crypto.subtle.importKey("raw", bytes, "HKDF", false, ["deriveKey"]);
    const sealKey = await derive(root, "edgehelm seal v1", { name: "AES-GCM", length: 256 }, ["encrypt", "decrypt"]);
    const hmac = { name: "HMAC", hash: "SHA-256", length: 256 };
    const checkKey = await derive(root, "edgehelm check v1", hmac, ["sign"]);
    return new InstallationKey(bytes, root, id, new AesSealer(id, sealKey), checkKey);
  }

  /** The key as text that `fromText` reads. It is secret, and stored only sealed with another key. */
  get text(): string {
    return encodeBase64url(this.#bytes);
  }

  /**
   * Derives the AES-256-GCM key of one backup.
   *
   * @param salt 32 random bytes, which the backup contains: no two backups have the same key
   */
  async backupKey(salt: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
    const algorithm = { name: "AES-GCM", length: 256 };
    return await derive(this.#root, "edgehelm backup v1", algorithm, ["encrypt", "decrypt"], salt);
  }

  /** Returns `<key id>.<proof>`, which a database stores in plain text to recognise its key. */
  async checkValue(): Promise<string> {
    const proof = await crypto.subtle.sign("HMAC", this.#checkKey, new TextEncoder().encode(CHECK_MESSAGE));
    return `${this.id}.${encodeBase64url(new Uint8Array(proof))}`;
  }

  /** Returns true if `checkValue` was made with this key. */
  async matches(checkValue: string): Promise<boolean> {
    return checkValue === await this.checkValue();
  }

  /** @throws StartupError if `checkValue` was not made with this key */
  async requireMatch(checkValue: string): Promise<void> {
    if (await this.matches(checkValue)) return;
    throw new StartupError(
      `the installation key does not belong to this database: its id is ${this.id}, the database was made with ` +
        `${
          checkValue.split(".")[0]
        }; set EDGEHELM_KEY or EDGEHELM_KEY_FILE to the key that was in use when it was made`,
    );
  }
}

/** Generates a key as text that `InstallationKey.fromText` reads. */
export function generateKeyText(): string {
  return encodeBase64url(crypto.getRandomValues(new Uint8Array(KEY_BYTES)));
}

function decodeKey(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) {
    return Uint8Array.from({ length: KEY_BYTES }, (_, at) => parseInt(text.slice(at * 2, at * 2 + 2), 16));
  }
  if (!/^(?:[A-Za-z0-9+/]{43}=?|[A-Za-z0-9_-]{43}=?)$/.test(text)) return undefined;
  return decodeBase64url(text.replaceAll("+", "-").replaceAll("/", "_").replace("=", ""));
}

async function derive(
  root: CryptoKey,
  purpose: string,
  algorithm: AesKeyGenParams | HmacKeyGenParams,
  usages: KeyUsage[],
  salt: Uint8Array<ArrayBuffer> = new Uint8Array(),
): Promise<CryptoKey> {
  const derivation = { name: "HKDF", hash: "SHA-256", salt, info: new TextEncoder().encode(purpose) };
  return await crypto.subtle.deriveKey(derivation, root, algorithm, false, usages);
}
