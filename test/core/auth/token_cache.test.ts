import { describe, expect, test } from "vitest";
import { type CachedToken, TokenCache } from "../../../core/auth/token_cache.ts";

const NOW = 1_000;

function entry(id: string, expiresAt = NOW + 10): CachedToken<string> {
  const claims = {
    role: "user",
    subjectId: 1n,
    keyId: 2n,
    source: "api_access_key",
    epoch: 0n,
    expiresAt,
    id,
  } as const;
  return { claims, epoch: 3n, extra: id };
}

describe("TokenCache", () => {
  test("returns the entry of a token, and undefined for another token", () => {
    const cache = new TokenCache<string>(10);
    const cached = entry("a");
    cache.set("token a", cached);
    expect(cache.get("token a", NOW)).toBe(cached);
    expect(cache.get("token b", NOW)).toBeUndefined();
  });

  test("returns an entry until the second it expires, then drops it", () => {
    const cache = new TokenCache<string>(10);
    cache.set("token", entry("a"));
    expect(cache.get("token", NOW + 9)).toBeDefined();
    expect(cache.get("token", NOW + 10)).toBeUndefined();
    expect(cache.size).toBe(0);
  });

  test("checks the expiry of entries in the old generation as well", () => {
    const cache = new TokenCache<string>(4);
    for (const id of ["a", "b", "c"]) cache.set(id, entry(id));
    expect(cache.get("a", NOW + 10)).toBeUndefined();
    expect(cache.get("a", NOW)).toBeUndefined();
  });

  test.each([2, 3, 10, 101])("never exceeds its limit of %i", (limit) => {
    const cache = new TokenCache<string>(limit);
    for (let at = 0; at < 1000; at++) {
      cache.set(`token ${at}`, entry("a"));
      cache.get(`token ${at - 1}`, NOW);
      cache.get(`token ${at % 7}`, NOW);
      expect(cache.size).toBeLessThanOrEqual(limit);
    }
    expect(cache.get("token 999", NOW)).toBeDefined();
  });

  test("keeps used entries and drops unused ones", () => {
    const cache = new TokenCache<string>(10);
    cache.set("used", entry("used"));
    cache.set("unused", entry("unused"));
    for (let at = 0; at < 50; at++) {
      cache.set(`token ${at}`, entry("a"));
      expect(cache.get("used", NOW)).toBeDefined();
    }
    expect(cache.get("unused", NOW)).toBeUndefined();
  });

  test("replaces an entry, even in the old generation", () => {
    const cache = new TokenCache<string>(4);
    for (const id of ["a", "b", "c"]) cache.set(id, entry(id));
    const renewed = entry("renewed");
    cache.set("a", renewed);
    expect(cache.get("a", NOW)).toBe(renewed);
    expect(cache.size).toBe(3);
  });

  test("deletes one token, or all", () => {
    const cache = new TokenCache<string>(4);
    for (const id of ["a", "b", "c"]) cache.set(id, entry(id));
    cache.delete("a");
    expect(cache.get("a", NOW)).toBeUndefined();
    expect(cache.get("b", NOW)).toBeDefined();
    cache.clear();
    expect(cache.size).toBe(0);
  });

  test.each([1, 0, -1, NaN])("refuses a limit of %d", (limit) => {
    expect(() => new TokenCache(limit)).toThrow("the limit of a token cache must be at least 2");
  });
});
