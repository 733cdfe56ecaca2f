import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** The part of `node:crypto` that hashes. */
interface NativeHashes {
  hash?(algorithm: "sha256", text: string, encoding: "hex"): string;
}

interface Runtime {
  readonly process?: { getBuiltinModule?(name: string): NativeHashes | undefined };
}

/** Hashes in JavaScript, which takes four times as long as native code. */
export function portableSha256Hex(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

const native = (globalThis as Runtime).process?.getBuiltinModule?.("node:crypto");

/** Returns the SHA-256 hash of the UTF-8 bytes of a text as hexadecimal digits. */
export const sha256Hex: (text: string) => string = native?.hash === undefined
  ? portableSha256Hex
  : (text) => native.hash!("sha256", text, "hex");
