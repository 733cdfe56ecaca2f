import { expect, test } from "vitest";
import { portableSha256Hex, sha256Hex } from "../../../../core/calls/audit/sha256.ts";

test("is the digest of FIPS 180-4", () => {
  expect(sha256Hex("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});

test.each(["", "abc", "é\u{1F600}中", "\ud800 unpaired", "y".repeat(5000)])(
  "is the same in native code and in JavaScript: %j",
  (text) => expect(sha256Hex(text)).toBe(portableSha256Hex(text)),
);
