import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

describe.each(["Deno/2.9.6", "Cloudflare-Workers"])("where the runtime calls itself %s", (userAgent) => {
  let gates: typeof import("../../../core/base/gate.ts");
  beforeEach(async () => {
    vi.stubGlobal("navigator", { userAgent });
    vi.resetModules();
    gates = await import("../../../core/base/gate.ts");
  });

  test("a gate opens for who waits, before and after", async () => {
    const { opened, open } = gates.gate(Date.now() + 60_000);
    open();
    expect(await opened).toBe(true);
    const later = gates.gate(Date.now() + 60_000);
    setTimeout(later.open, 5);
    expect(await later.opened).toBe(true);
  });

  test("a gate that stays closed says so in time", async () => {
    expect(await gates.gate(Date.now() + 20).opened).toBe(false);
  });

  test("what others wait for is given to each, or thrown", async () => {
    const late = () => new Error("late");
    const good = Promise.withResolvers<number>();
    const all = [1, 2, 3].map(() => gates.shared(good.promise, 60_000, late));
    good.resolve(7);
    expect(await Promise.all(all)).toEqual([7, 7, 7]);
    await expect(gates.shared(Promise.reject(new Error("no")), 60_000, late)).rejects.toThrow("no");
    await expect(gates.shared(new Promise(() => {}), 20, late)).rejects.toThrow("late");
  });
});
