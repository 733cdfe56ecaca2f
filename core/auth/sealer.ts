import { decodeBase64url, encodeBase64url } from "./base64url.ts";

const VERSION = "v1";
const NONCE_BYTES = 12;

/** Where a sealed value is kept. It opens there and nowhere else. */
export interface SealedPlace {
  readonly table: string;
  readonly column: string;
  readonly row: string;
}

/** Encrypts values for the database, so that a copy of the database alone does not give them away. */
export interface Sealer {
  seal(plaintext: string, place: SealedPlace): Promise<string>;
  /** Throws an `UnsealError`, of which a `WrongKeyError` is one kind. */
  open(sealed: string, place: SealedPlace): Promise<string>;
}

/** A sealed value that does not open: it was changed, cut, or moved from another place. */
export class UnsealError extends Error {
  override readonly name: string = "UnsealError";
}

/** A value that was sealed with another installation key. */
export class WrongKeyError extends UnsealError {
  override readonly name = "WrongKeyError";
  /** The id of the key at hand. */
  readonly keyId: string;
  /** The id of the key that the value was sealed with. */
  readonly sealedWith: string;

  constructor(place: SealedPlace, keyId: string, sealedWith: string) {
    super(`${wordPlace(place)} is sealed with the installation key ${sealedWith}, the key at hand is ${keyId}`);
    this.keyId = keyId;
    this.sealedWith = sealedWith;
  }
}

/**
 * Seals with AES-256-GCM into `v1.<key id>.<nonce>.<ciphertext>`. Nonces are random, which is safe for 2^32 values
 * under one key.
 */
export class AesSealer implements Sealer {
  readonly #keyId: string;
  readonly #key: CryptoKey;

  /** `key` is for AES-GCM; `keyId` must not contain a full stop. */
  constructor(keyId: string, key: CryptoKey) {
    this.#keyId = keyId;
    this.#key = key;
  }

  async seal(plaintext: string, place: SealedPlace): Promise<string> {
    const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
    const ciphertext = await crypto.subtle.encrypt(
      this.#algorithm(nonce, place),
      this.#key,
      new TextEncoder().encode(plaintext),
    );
    return [VERSION, this.#keyId, encodeBase64url(nonce), encodeBase64url(new Uint8Array(ciphertext))].join(".");
  }

  async open(sealed: string, place: SealedPlace): Promise<string> {
    const [version, keyId, nonceText, ciphertextText, ...rest] = sealed.split(".");
    const nonce = decodeBase64url(nonceText ?? "");
    const ciphertext = decodeBase64url(ciphertextText ?? "");
    const wellFormed = version === VERSION && keyId && nonce?.length === NONCE_BYTES && ciphertext && rest.length === 0;
    if (!wellFormed) throw new UnsealError(`${wordPlace(place)} is not a sealed value`);
    if (keyId !== this.#keyId) throw new WrongKeyError(place, this.#keyId, keyId);
    try {
      const plaintext = await crypto.subtle.decrypt(this.#algorithm(nonce, place), this.#key, ciphertext);
      return new TextDecoder().decode(plaintext);
    } catch (cause) {
      throw new UnsealError(`${wordPlace(place)} was changed after it was sealed, or belongs elsewhere`, { cause });
    }
  }

  #algorithm(nonce: Uint8Array<ArrayBuffer>, { table, column, row }: SealedPlace): AesGcmParams {
    // A JSON array, because joined names would let ("a", "bc") pass for ("ab", "c").
    const binding = JSON.stringify([VERSION, this.#keyId, table, column, row]);
    return { name: "AES-GCM", iv: nonce, additionalData: new TextEncoder().encode(binding) };
  }
}

function wordPlace({ table, column, row }: SealedPlace): string {
  return `${table}.${column} of row ${JSON.stringify(row)}`;
}
