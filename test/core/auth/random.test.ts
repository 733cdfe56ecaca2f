import { describe, expect, test, vi } from "vitest";
import {
  constantTimeEqual,
  newAccessKeyId,
  newAccessKeySecret,
  randomAlphanumerics,
} from "../../../core/auth/random.ts";

describe("random alphanumerics", () => {
  test("form access key ids of 16 and secrets of 32 characters, which differ", () => {
    expect(newAccessKeyId()).toMatch(/^[A-Za-z0-9]{16}$/);
    expect(newAccessKeySecret()).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(new Set(Array.from({ length: 1000 }, newAccessKeyId)).size).toBe(1000);
  });

  test("discard the bytes that would favour the first characters", () => {
    let next = 240;
    const source = vi.spyOn(crypto, "getRandomValues").mockImplementation((array) => {
      if (array instanceof Uint8Array) { for (let at = 0; at < array.length; at++) array[at] = next++ % 256; }
      return array;
    });
    try {
      // 240 to 247 map to the last characters; 248 to 255 are discarded; 0 maps to the first character.
      expect(randomAlphanumerics(10)).toBe("23456789AB");
    } finally {
      source.mockRestore();
    }
  });

  test("contain every character about equally often", () => {
    const counts = new Map<string, number>();
    for (const character of randomAlphanumerics(62_000)) counts.set(character, (counts.get(character) ?? 0) + 1);
    expect(counts.size).toBe(62);
    // The mean is 1000 and the standard deviation 31. With a bias of one byte in 256, some counts would be 1210.
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(200);
  });
});

describe("constantTimeEqual", () => {
  test.each([
    ["", "", true],
    ["secret", "secret", true],
    ["secret", "secreT", false],
    ["secret", "secret ", false],
    ["secret", "", false],
    ["żółw", "żółw", true],
    // Their digests have the same last byte, and the same first byte.
    ["secret 4", "secret 6", false],
    ["secret 1", "secret 17", false],
  ])("of %j and %j is %j", async (first, second, equal) => {
    expect(await constantTimeEqual(first, second)).toBe(equal);
  });
});
