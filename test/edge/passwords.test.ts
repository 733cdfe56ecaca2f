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
  test("that a host hashed are known, and no others", async () => {
    const phc = await host.hash(PASSWORD);
    expect(await edge.verify(PASSWORD.normalize("NFC"), phc)).toBe(true);
    expect(await edge.verify(`${PASSWORD} `, phc)).toBe(false);
  });

  test("are hashed so that a host knows them, at the same cost", async () => {
    const phc = await edge.hash(PASSWORD);
    expect(phc).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(needsRehash(phc)).toBe(false);
    expect(await host.verify(PASSWORD, phc)).toBe(true);
    expect(await host.verify("another one", phc)).toBe(false);
    expect(await edge.hash(PASSWORD)).not.toBe(phc);
  });

  test("are checked against the reference implementation's own hash", async () => {
    expect(await edge.verify("password", FOREIGN)).toBe(true);
    expect(await edge.verify("passwords", FOREIGN)).toBe(false);
  });

  test("that break the rules are refused", async () => {
    await expect(edge.hash("short")).rejects.toMatchObject({ kind: "invalid" });
    await expect(edge.hash("x".repeat(1025))).rejects.toMatchObject({ kind: "invalid" });
  });

  test("of nobody are wrong, and hashes of other kinds match nothing", async () => {
    expect(await edge.verifyNothing(PASSWORD)).toBe(false);
    expect(await edge.verify(PASSWORD, "$2b$12$nothing of ours")).toBe(false);
  });

  test("whose check would take more memory than an isolate has are not called wrong", async () => {
    const dear = FOREIGN.replace("m=256", "m=131072");
    await expect(edge.verify("password", dear)).rejects.toMatchObject({ kind: "unavailable" });
  });
});
