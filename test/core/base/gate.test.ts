import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

describe.each(["Deno/2.9.6", "Cloudflare-Workers"])("with the user agent %s", (userAgent) => {
  let gates: typeof import("../../../core/base/gate.ts");
  beforeEach(async () => {
    vi.stubGlobal("navigator", { userAgent });
    vi.resetModules();
    gates = await import("../../../core/base/gate.ts");
  });

  test("a gate can be opened before and while it is awaited", async () => {
    const { opened, open } = gates.gate(Date.now() + 60_000);
    open();
    expect(await opened).toBe(true);
    const later = gates.gate(Date.now() + 60_000);
    setTimeout(later.open, 5);
    expect(await later.opened).toBe(true);
  });

  test("a gate that stays closed resolves to false at its deadline", async () => {
    expect(await gates.gate(Date.now() + 20).opened).toBe(false);
  });

  test("awaitShared gives every waiter the result or the error of the work, or an error when it takes too long", async () => {
    const late = () => new Error("late");
    const work = Promise.withResolvers<number>();
    const waiters = [1, 2, 3].map(() => gates.awaitShared(work.promise, 60_000, late));
    work.resolve(7);
    expect(await Promise.all(waiters)).toEqual([7, 7, 7]);
    await expect(gates.awaitShared(Promise.reject(new Error("no")), 60_000, late)).rejects.toThrow("no");
    await expect(gates.awaitShared(new Promise(() => {}), 20, late)).rejects.toThrow("late");
  });
});
