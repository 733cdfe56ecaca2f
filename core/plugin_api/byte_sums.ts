import { md5 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/** The sums of bytes that arrive in parts. */
export interface ByteSums {
  /** Adds the next part. */
  update(bytes: Uint8Array): void;
  /** Returns the sums of all parts in hexadecimal. Nothing can be added then. */
  end(): { readonly sha256: string; readonly md5: string };
}

/**
 * Computes the sums of a content that is too large for memory. MD5 detects damage, not malice: compare SHA-256 wherever
 * an attacker could gain from another content.
 *
 * @example
 * ```ts
 * import { byteSums } from "edgehelm/runtime";
 *
 * const sums = byteSums();
 * for await (const part of parts) sums.update(part);
 * if (sums.end().sha256 !== expected) throw errors.damaged();
 * ```
 */
export function byteSums(): ByteSums {
  const [sha, md] = [sha256.create(), md5.create()];
  return {
    update(bytes) {
      sha.update(bytes);
      md.update(bytes);
    },
    end: () => ({ sha256: bytesToHex(sha.digest()), md5: bytesToHex(md.digest()) }),
  };
}
