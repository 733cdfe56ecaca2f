import { describe, expect, test } from "vitest";
import { ROTATE_DAYS, signingKeyRig, TOKEN_LIFETIME } from "./signing_key_rig.ts";

const OVERLAP = 60;
const ROTATE_SECONDS = ROTATE_DAYS * 86_400;

async function kids(keys: { jwks(context: "reader"): Promise<{ keys: { kid?: string }[] }> }): Promise<unknown[]> {
  return (await keys.jwks("reader")).keys.map(({ kid }) => kid);
}

describe("rotation", () => {
  test("is due when the key is rotateDays old, and not before", async () => {
    const { store, clock, keys } = await signingKeyRig();
    clock.advance(ROTATE_SECONDS - 1);
    expect(await keys.rotateIfDue("reader")).toBe(false);
    clock.advance(1);
    expect(await keys.rotateIfDue("reader")).toBe(true);
    expect(store.rows).toHaveLength(2);
  });

  test("publishes the new key before it signs, and drops the old one once its last token has expired", async () => {
    const { store, clock, keys } = await signingKeyRig();
    clock.advance(ROTATE_SECONDS);
    await keys.rotateIfDue("reader");
    const [old, young] = store.rows.map(({ kid }) => kid);
    expect(await kids(keys)).toEqual([old, young]);
    expect((await keys.current("reader")).kid).toBe(old);

    clock.advance(OVERLAP - 1);
    expect((await keys.current("reader")).kid).toBe(old);
    clock.advance(1);
    expect((await keys.current("reader")).kid).toBe(young);

    clock.advance(TOKEN_LIFETIME + OVERLAP - 1);
    expect(await keys.rotateIfDue("reader")).toBe(false);
    expect(await keys.verificationKey("reader", old!)).toBeDefined();
    expect(await kids(keys)).toEqual([old, young]);

    clock.advance(1);
    expect(await keys.verificationKey("reader", old!)).toBeUndefined();
    expect(await kids(keys)).toEqual([young]);
    expect(store.rows).toHaveLength(2);
    expect(await keys.rotateIfDue("reader")).toBe(true);
    expect(store.rows.map(({ kid }) => kid)).toEqual([young]);
  });

  test("on one instance is seen by the others before the new key signs", async () => {
    const { clock, keys, newInstance } = await signingKeyRig();
    const other = newInstance();
    await other.load("reader");
    clock.advance(ROTATE_SECONDS);
    await other.load("reader");
    await keys.rotateIfDue("reader");
    clock.advance(OVERLAP);
    expect((await other.current("reader")).kid).toBe((await keys.current("reader")).kid);
  });

  test("on two instances in succession generates one key", async () => {
    const { store, clock, keys, newInstance } = await signingKeyRig();
    clock.advance(ROTATE_SECONDS);
    await keys.rotateIfDue("reader");
    expect(await newInstance().rotateIfDue("reader")).toBe(false);
    expect(store.rows).toHaveLength(2);
  });

  test("that was rolled back leaves nothing in memory", async () => {
    const { store, clock, keys } = await signingKeyRig();
    const before = store.rows;
    clock.advance(ROTATE_SECONDS);
    await keys.rotateIfDue("reader");
    store.rows = before;
    expect(await kids(keys)).toEqual([before[0]!.kid]);
    expect((await keys.current("reader")).kid).toBe(before[0]!.kid);
  });
});
