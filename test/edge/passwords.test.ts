import { afterAll, describe, expect, test } from "vitest";
import { needsRehash } from "../../core/auth/passwords.ts";
import { EdgePasswords } from "../../core/edge/passwords.ts";
import { WorkerPasswords } from "../../core/host/passwords/passwords.ts";

const PASSWORD = "correct z\u0307o\u0301\u0142w";
// From the tests of the reference implementation of argon2: the hash of "password".
const FOREIGN = "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4";

const host = new WorkerPasswords();
const edge = new EdgePasswords();
afterAll(() => host.close());

describe("passwords on the edge", () => {
  test("hashed on a host are verified", async () => {
    const phc = await host.hash(PASSWORD);
    expect(await edge.verify(PASSWORD.normalize("NFC"), phc)).toBe(true);
    expect(await edge.verify(`${PASSWORD} `, phc)).toBe(false);
  });

  test("hashed on the edge are verified by a host and have the same cost", async () => {
    const phc = await edge.hash(PASSWORD);
    expect(phc).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(needsRehash(phc)).toBe(false);
    expect(await host.verify(PASSWORD, phc)).toBe(true);
    expect(await host.verify("another one", phc)).toBe(false);
    expect(await edge.hash(PASSWORD)).not.toBe(phc);
  });

  test("match a hash of the reference implementation", async () => {
    expect(await edge.verify("password", FOREIGN)).toBe(true);
    expect(await edge.verify("passwords", FOREIGN)).toBe(false);
  });

  test("that break the rules are refused", async () => {
    await expect(edge.hash("short")).rejects.toMatchObject({ kind: "invalid" });
    await expect(edge.hash("x".repeat(1025))).rejects.toMatchObject({ kind: "invalid" });
  });

  test("of unknown users and foreign hashes never match", async () => {
    expect(await edge.verifyNothing(PASSWORD)).toBe(false);
    expect(await edge.verify(PASSWORD, "$2b$12$foreign hash")).toBe(false);
  });

  test("that require more memory than an isolate has are unavailable, not wrong", async () => {
    const expensive = FOREIGN.replace("m=256", "m=131072");
    await expect(edge.verify("password", expensive)).rejects.toMatchObject({ kind: "unavailable" });
  });
});
