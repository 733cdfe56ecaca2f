import { describe, expect, test } from "vitest";
import { signingKeyRig } from "./signing_key_rig.ts";

describe("reading the table", () => {
  test("happens once in 30 seconds, for any number of tokens", async () => {
    const { store, clock, keys } = await signingKeyRig();
    const { kid } = await keys.current("reader");
    store.reads = 0;
    for (let at = 0; at < 100; at++) await keys.verificationKey("reader", kid);
    expect(store.reads).toBe(0);
    clock.advance(30);
    await Promise.all(Array.from({ length: 100 }, () => keys.verificationKey("reader", kid)));
    expect(store.reads).toBe(1);
  });

  test("happens for unknown kids once a second, for any number of them", async () => {
    const { store, clock, keys } = await signingKeyRig();
    await keys.current("reader");
    clock.advance(1);
    store.reads = 0;
    for (let at = 0; at < 100; at++) expect(await keys.verificationKey("reader", `garbage ${at}`)).toBeUndefined();
    expect(store.reads).toBe(1);
    clock.advance(1);
    await Promise.all(Array.from({ length: 100 }, (_, at) => keys.verificationKey("reader", `garbage ${at}`)));
    expect(store.reads).toBe(2);
  });

  test("is not repeated for every unknown kid after an error", async () => {
    const { store, clock, keys } = await signingKeyRig();
    await keys.current("reader");
    clock.advance(1);
    store.reads = 0;
    await expect(keys.verificationKey("broken", "garbage 1")).rejects.toThrow("the database is down");
    expect(await keys.verificationKey("broken", "garbage 2")).toBeUndefined();
    expect(store.reads).toBe(1);
  });

  test("finds a key that another instance has just generated", async () => {
    const { store, clock, keys } = await signingKeyRig();
    await keys.current("reader");
    store.rows = [];
    await keys.rotateIfDue("reader");
    clock.advance(1);
    expect(await keys.verificationKey("reader", store.rows[0]!.kid)).toBeDefined();
  });

  test("drops a key that was deleted from the table", async () => {
    const { store, clock, keys } = await signingKeyRig();
    const { kid } = await keys.current("reader");
    store.rows = [];
    clock.advance(30);
    expect(await keys.verificationKey("reader", kid)).toBeUndefined();
  });

  test("is repeated after the clock was set back", async () => {
    const { store, clock, keys } = await signingKeyRig();
    const { kid } = await keys.current("reader");
    store.reads = 0;
    clock.advance(-3600);
    await keys.verificationKey("reader", kid);
    expect(store.reads).toBe(1);
  });

  test("is retried by the callers that waited for a read which failed", async () => {
    const { clock, keys } = await signingKeyRig();
    const { kid } = await keys.current("reader");
    clock.advance(30);
    const [broken, ...others] = await Promise.allSettled([
      keys.verificationKey("broken", kid),
      keys.verificationKey("reader", kid),
      keys.verificationKey("reader", kid),
    ]);
    expect(broken).toMatchObject({ status: "rejected", reason: { message: "the database is down" } });
    for (const other of others) expect(other).toMatchObject({ status: "fulfilled", value: { type: "public" } });
  });
});
