import { decodeBase64url, encodeBase64url } from "./base64url.ts";

const VERSION = "v1";
const NONCE_BYTES = 12;

/** The place in the database where a sealed value is stored. The value can be opened for this place only. */
export interface SealedPlace {
  readonly table: string;
  readonly column: string;
  readonly row: string;
}

/** Encrypts values before they are stored, so that a copy of the database alone does not reveal them. */
export interface Sealer {
  /** Encrypts `plaintext` for `place`. Two calls with the same arguments return different values. */
  seal(plaintext: string, place: SealedPlace): Promise<string>;
  /**
   * Decrypts a sealed value.
   *
   * @throws UnsealError if the value was changed, truncated or sealed for another place; its subclass WrongKeyError if
   *   it was sealed with another installation key
   */
  open(sealed: string, place: SealedPlace): Promise<string>;
}

/** Thrown for a sealed value that was changed, truncated or sealed for another place. */
export class UnsealError extends Error {
  override readonly name: string = "UnsealError";
}

/** Thrown for a value that was sealed with another installation key. */
export class WrongKeyError extends UnsealError {
  override readonly name = "WrongKeyError";
  /** The id of the current installation key. */
  readonly keyId: string;
  /** The id of the key that the value was sealed with. */
  readonly sealedWith: string;

  constructor(place: SealedPlace, keyId: string, sealedWith: string) {
    super(`${describePlace(place)} is sealed with the installation key ${sealedWith}, but the current key is ${keyId}`);
    this.keyId = keyId;
    this.sealedWith = sealedWith;
  }
}

/**
 * Seals with AES-256-GCM in the format `v1.<key id>.<nonce>.<ciphertext>`. Nonces are random, which is safe for 2^32
 * values per key (NIST SP 800-38D, section 8.3).
 */
export class AesSealer implements Sealer {
  readonly #keyId: string;
  readonly #key: CryptoKey;

  /**
   * @param keyId the id of the key, without a full stop
   * @param key an AES-GCM key
   */
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
    if (!wellFormed) throw new UnsealError(`${describePlace(place)} is not a sealed value`);
    if (keyId !== this.#keyId) throw new WrongKeyError(place, this.#keyId, keyId);
    try {
      const plaintext = await crypto.subtle.decrypt(this.#algorithm(nonce, place), this.#key, ciphertext);
      return new TextDecoder().decode(plaintext);
    } catch (cause) {
      throw new UnsealError(`${describePlace(place)} was changed after it was sealed, or sealed for another place`, {
        cause,
      });
    }
  }

  #algorithm(nonce: Uint8Array<ArrayBuffer>, { table, column, row }: SealedPlace): AesGcmParams {
    // A JSON array, because concatenated names would make ("a", "bc") equal to ("ab", "c").
    const binding = JSON.stringify([VERSION, this.#keyId, table, column, row]);
    return { name: "AES-GCM", iv: nonce, additionalData: new TextEncoder().encode(binding) };
  }
}

function describePlace({ table, column, row }: SealedPlace): string {
  return `${table}.${column} of row ${JSON.stringify(row)}`;
}
