import { LibsqlError } from "@libsql/client/web";
import { describe, expect, test } from "vitest";
import { withRetries } from "../../../../core/storage/remote/deadline.ts";

describe("withRetries", () => {
  function failing(times: number, error: Error): { attempts: () => number; attempt: () => Promise<string> } {
    let attempts = 0;
    const attempt = () => ++attempts > times ? Promise.resolve("done") : Promise.reject(error);
    return { attempts: () => attempts, attempt };
  }
  const busy = new LibsqlError("SQLite error: database is locked", "SQLITE_BUSY");
  const soon = () => Date.now() + 5000;

  test("retries conflicts with other writers until the deadline", async () => {
    expect(await withRetries(soon(), failing(4, busy).attempt)).toBe("done");
    await expect(withRetries(Date.now() + 60, failing(Infinity, busy).attempt)).rejects.toBe(busy);
  });

  test("retries twice after a lost response, and not after the error of a statement", async () => {
    const lost = failing(Infinity, new TypeError("fetch failed"));
    await expect(withRetries(soon(), lost.attempt)).rejects.toThrow("fetch failed");
    expect(lost.attempts()).toBe(3);
    const refused = failing(Infinity, new LibsqlError("SQLite error: no such table: t", "SQLITE_UNKNOWN"));
    await expect(withRetries(soon(), refused.attempt)).rejects.toThrow("no such table");
    expect(refused.attempts()).toBe(1);
  });

  test("ends at the deadline even if an attempt hangs", async () => {
    const never = () => new Promise<never>(() => {});
    await expect(withRetries(Date.now() + 20, never)).rejects.toMatchObject({ kind: "deadline" });
  });
});
