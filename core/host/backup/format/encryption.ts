import type { InstallationKey } from "../../../auth/installation_key.ts";
import { decodeBase64url, encodeBase64url } from "../../../auth/base64url.ts";
import { StartupError } from "../../../base/startup_error.ts";
import { type Chunks, type FirstLine, inPieces, takeLine } from "./pieces.ts";

// The file is one line of plain text, then the database in pieces of 1 MiB, each encrypted with AES-256-GCM. The nonce
// of a piece holds its number and a mark of the last one, so pieces cannot be moved, repeated or cut off. The line is
// authenticated with every piece. The key is derived from the installation key and a random salt in the line.
const MAGIC = "edgehelm-encrypted-backup-1 ";
const PIECE_BYTES = 1024 * 1024;
const TAG_BYTES = 16;
const SALT_BYTES = 32;
const MAX_LINE_BYTES = 4096;
/** The number of pieces that the four bytes of the nonce can count, less one for the last. */
const MAX_PIECES = 2 ** 32 - 1;

/** The facts about a backup that can be read without its key. They are authenticated with the content. */
export interface BackupFacts {
  /** The public id of the key. */
  readonly keyId: string;
  readonly installationId: string;
  /** The time of the backup in ISO 8601. */
  readonly madeAt: string;
  /** The version of the program that made it. */
  readonly version: string;
  /** The size of the database in bytes. */
  readonly bytes: number;
  /** The number of tables, and of the rows in all of them. */
  readonly tables: number;
  readonly rows: number;
}

/** An encrypted backup that is being written. */
export interface EncryptedBackup {
  /** The size of all chunks together. */
  readonly bytes: number;
  readonly chunks: Chunks;
}

/** Encrypts the content of a database, whose size is `facts.bytes`. */
export async function encryptBackup(
  content: Chunks,
  facts: Omit<BackupFacts, "keyId">,
  key: InstallationKey,
): Promise<EncryptedBackup> {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  const line = JSON.stringify({ keyId: key.id, ...facts, salt: encodeBase64url(salt) });
  const header = new TextEncoder().encode(`${MAGIC}${line}\n`);
  const pieces = Math.max(1, Math.ceil(facts.bytes / PIECE_BYTES));
  if (pieces > MAX_PIECES) throw new StartupError("the database is too large for an encrypted backup");
  const cipher = await key.backupKey(salt);
  return {
    bytes: header.length + facts.bytes + pieces * TAG_BYTES,
    chunks: encrypted(content, header, cipher, facts.bytes),
  };
}

async function* encrypted(content: Chunks, header: Uint8Array<ArrayBuffer>, cipher: CryptoKey, expected: number) {
  yield header;
  let bytes = 0;
  for await (const { piece, number, isLast } of inPieces(content, PIECE_BYTES)) {
    bytes += piece.length;
    yield new Uint8Array(await crypto.subtle.encrypt(parameters(header, number, isLast), cipher, piece));
  }
  if (bytes !== expected) throw new Error(`the content has ${bytes} bytes, not ${expected}`);
}

/** An encrypted backup whose first line was read. */
export interface OpenedBackup {
  readonly facts: BackupFacts;
  /**
   * Yields the content, each chunk after its check.
   *
   * @throws StartupError if the key is another one, or if the backup is damaged or incomplete
   */
  content(key: InstallationKey): AsyncGenerator<Uint8Array<ArrayBuffer>>;
}

/**
 * Reads the first line of an encrypted backup.
 *
 * @param name the file or the address, for errors
 * @throws StartupError if it is no encrypted backup
 */
export async function openBackup(chunks: Chunks, name: string): Promise<OpenedBackup> {
  const first = await takeLine(chunks, MAX_LINE_BYTES);
  const { line } = first;
  const parsed = line === undefined ? undefined : parseLine(new TextDecoder().decode(line));
  if (line === undefined || parsed === undefined) {
    await first.close();
    throw new StartupError(`"${name}" is not an encrypted backup of this program, or its first line is damaged`);
  }
  const { salt, ...facts } = parsed;
  return { facts, content: (key) => decrypted(first, line, facts, salt, key, name) };
}

/** Returns true if a file begins like an encrypted backup. */
export function isEncrypted(start: Uint8Array): boolean {
  return new TextDecoder().decode(start.subarray(0, MAGIC.length)) === MAGIC;
}

async function* decrypted(
  { rest, close }: FirstLine,
  header: Uint8Array<ArrayBuffer>,
  facts: BackupFacts,
  salt: Uint8Array<ArrayBuffer>,
  key: InstallationKey,
  name: string,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (key.id !== facts.keyId) {
    await close();
    throw new StartupError(
      `"${name}" requires installation key ${facts.keyId}, but the configured key is ${key.id}: set EDGEHELM_KEY or ` +
        "EDGEHELM_KEY_FILE to the key of that time",
    );
  }
  const cipher = await key.backupKey(salt);
  let bytes = 0;
  for await (const { piece, number, isLast } of inPieces(rest, PIECE_BYTES + TAG_BYTES)) {
    const plain = await crypto.subtle.decrypt(parameters(header, number, isLast), cipher, piece).catch((cause) => {
      throw new StartupError(`"${name}" is damaged or incomplete: piece ${number + 1} is not what was written`, {
        cause,
      });
    });
    bytes += plain.byteLength;
    yield new Uint8Array(plain);
  }
  if (bytes !== facts.bytes) throw new StartupError(`"${name}" has ${bytes} bytes of content, not ${facts.bytes}`);
}

function parameters(header: Uint8Array<ArrayBuffer>, number: number, isLast: boolean): AesGcmParams {
  const iv = new Uint8Array(12);
  const view = new DataView(iv.buffer);
  view.setUint32(7, number);
  view.setUint8(11, isLast ? 1 : 0);
  return { name: "AES-GCM", iv, additionalData: header, tagLength: TAG_BYTES * 8 };
}

function parseLine(line: string): (BackupFacts & { readonly salt: Uint8Array<ArrayBuffer> }) | undefined {
  if (!line.startsWith(MAGIC)) return undefined;
  try {
    const { salt: saltText, ...facts } = JSON.parse(line.slice(MAGIC.length));
    const texts = [facts.keyId, facts.installationId, facts.madeAt, facts.version, saltText];
    const numbers = [facts.bytes, facts.tables, facts.rows];
    if (!texts.every((value) => typeof value === "string")) return undefined;
    if (!numbers.every((value) => Number.isSafeInteger(value) && value >= 0)) return undefined;
    const salt = decodeBase64url(saltText);
    return salt?.length === SALT_BYTES ? { ...facts, salt } : undefined;
  } catch {
    return undefined;
  }
}
