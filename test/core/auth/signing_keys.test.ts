import { exportJWK } from "jose";
import { describe, expect, test } from "vitest";
import { UnsealError } from "../../../core/auth/sealer.ts";
import { ROTATE_DAYS, signingKeyRig, testInstallationKey, TOKEN_LIFETIME } from "./signing_key_rig.ts";

const OVERLAP = 60;
const ROTATE_SECONDS = ROTATE_DAYS * 86_400;

async function kids(keys: { jwks(context: "reader"): Promise<{ keys: { kid?: string }[] }> }): Promise<unknown[]> {
  return (await keys.jwks("reader")).keys.map(({ kid }) => kid);
}

describe("the first signing key", () => {
  test("is generated once and signs immediately", async () => {
    const { store, keys } = await signingKeyRig();
    expect(await keys.rotateIfDue("reader")).toBe(false);
    expect(store.rows).toHaveLength(1);
    expect((await keys.current("reader")).kid).toBe(store.rows[0]!.kid);
  });

  test("causes a clear error if it is missing", async () => {
    const { store, keys } = await signingKeyRig();
    store.rows = [];
    await expect(keys.current("reader")).rejects.toThrow("no signing key exists: rotateIfDue must run");
  });

  test("does not reveal its private half in the table, the JWK Set or an export", async () => {
    const { store, keys } = await signingKeyRig();
    const { privateKey, publicKey } = await keys.current("reader");
    expect(privateKey.extractable).toBe(false);
    await expect(exportJWK(privateKey)).rejects.toThrow("non-extractable");
    expect(publicKey.type).toBe("public");
    expect(JSON.parse(store.rows[0]!.publicJwk)).not.toHaveProperty("d");
    expect(store.rows[0]!.sealedPrivateJwk).toMatch(/^v1\.[0-9a-f]{16}\./);
    const { keys: [jwk] } = await keys.jwks("reader");
    expect(Object.keys(jwk!).sort()).toEqual(["alg", "crv", "kid", "kty", "use", "x"]);
    expect(jwk).toMatchObject({ kty: "OKP", crv: "Ed25519", alg: "EdDSA", use: "sig", kid: store.rows[0]!.kid });
  });

  test("can be opened in its own row only", async () => {
    const { store, newInstance } = await signingKeyRig();
    store.rows = store.rows.map((row) => ({ ...row, kid: "A".repeat(43) }));
    await expect(newInstance().current("reader")).rejects.toThrow(UnsealError);
  });

  test("cannot be planted by writing the table without the installation key", async () => {
    const { store, newInstance } = await signingKeyRig();
    const attacker = await signingKeyRig();
    const [genuine, planted] = [store.rows[0]!, attacker.store.rows[0]!];
    store.rows = [{ ...genuine, publicJwk: planted.publicJwk }];
    const { keys: [jwk] } = await newInstance().jwks("reader");
    expect(jwk!.x).toBe(JSON.parse(genuine.publicJwk).x);
    store.rows = [genuine, planted];
    await expect(newInstance().jwks("reader")).rejects.toThrow(UnsealError);
  });

  test("cannot be opened with another installation key", async () => {
    const { store } = await signingKeyRig();
    const { sealer } = await testInstallationKey();
    const { kid, sealedPrivateJwk } = store.rows[0]!;
    const place = { table: "kernel_signing_keys", column: "sealedPrivateJwk", row: kid };
    await expect(sealer.open(sealedPrivateJwk, place)).rejects.toThrow(UnsealError);
  });
});

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
