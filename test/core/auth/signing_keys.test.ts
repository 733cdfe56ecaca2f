import { exportJWK } from "jose";
import { describe, expect, test } from "vitest";
import { UnsealError } from "../../../core/auth/sealer.ts";
import { signingKeyRig, testInstallationKey } from "./signing_key_rig.ts";

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
