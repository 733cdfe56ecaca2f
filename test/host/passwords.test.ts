import { execFile } from "node:child_process";
import process from "node:process";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import { needsRehash } from "../../core/auth/passwords.ts";
import { WorkerPasswords, type WorkerPasswordsOptions } from "../../core/host/passwords/passwords.ts";

const FIXTURES = new URL("../fixtures/password_workers/", import.meta.url);
const SCRIPTED = new URL("scripted.ts", FIXTURES);
const PASSWORD = "correct horse";
// From the tests of the reference implementation of argon2: the hash of "password".
const FOREIGN = "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4";

const open: WorkerPasswords[] = [];

function start(options?: WorkerPasswordsOptions): WorkerPasswords {
  const passwords = new WorkerPasswords(options);
  open.push(passwords);
  return passwords;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((passwords) => passwords.close()));
});

describe("hash", () => {
  test("returns an argon2id hash at the current cost, which only that password matches", async () => {
    const passwords = start();
    const phc = await passwords.hash(PASSWORD);
    expect(phc).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(needsRehash(phc)).toBe(false);
    expect(await passwords.verify(PASSWORD, phc)).toBe(true);
    expect(await passwords.verify(`${PASSWORD} `, phc)).toBe(false);
    expect(await passwords.hash(PASSWORD)).not.toBe(phc);
  });

  test("treats different encodings of the same characters as one password", async () => {
    const passwords = start();
    const phc = await passwords.hash("z\u0307o\u0301\u0142w zielony");
    expect(await passwords.verify("\u017c\u00f3\u0142w zielony", phc)).toBe(true);
  });

  test("refuses a password that breaks the rules", async () => {
    const passwords = start();
    await expect(passwords.hash("short")).rejects.toMatchObject({ kind: "invalid" });
    await expect(passwords.hash("x".repeat(1025))).rejects.toMatchObject({ kind: "invalid" });
  });

  test("does not block the event loop", async () => {
    const passwords = start();
    await passwords.hash(PASSWORD);
    let hashing = true;
    const hashes = Promise.all([1, 2, 3].map(() => passwords.hash(PASSWORD))).finally(() => hashing = false);
    let turns = 0;
    for (; hashing; turns++) await setImmediate();
    await hashes;
    // 1 turn with argon2 in this thread, tens of thousands with a worker.
    expect(turns).toBeGreaterThan(200);
  });
});

describe("verify", () => {
  test("accepts hashes of another implementation and cost", async () => {
    const passwords = start();
    expect(await passwords.verify("password", FOREIGN)).toBe(true);
    expect(await passwords.verify("passwore", FOREIGN)).toBe(false);
  });

  test.each(["", "secret", "$2b$10$abcdefghijklmnopqrstuv", "$argon2id$v=19$m=4194304,t=2,p=1$c29tZXNhbHQxMjM0$AAAA"])(
    "is false for the stored text %j, after the work of a hash",
    async (phc) => {
      const passwords = start({ worker: SCRIPTED, queueLimit: 1 });
      const verifying = passwords.verify(PASSWORD, phc);
      await expect(passwords.verifyNothing(PASSWORD)).rejects.toMatchObject({ kind: "unavailable" });
      expect(await verifying).toBe(false);
    },
  );

  test("of an unknown user is false, after the work of a hash", async () => {
    const passwords = start({ queueLimit: 1 });
    const verifying = passwords.verifyNothing(PASSWORD);
    await expect(passwords.verifyNothing(PASSWORD)).rejects.toMatchObject({ kind: "unavailable" });
    expect(await verifying).toBe(false);
  });

  test("is false without any work for an impossible password", async () => {
    const passwords = start({ queueLimit: 0 });
    for (const password of ["", "x".repeat(1025)]) {
      expect(await passwords.verify(password, FOREIGN)).toBe(false);
      expect(await passwords.verifyNothing(password)).toBe(false);
    }
  });
});

describe("the worker", () => {
  test("returns each result to its own caller", async () => {
    const passwords = start({ worker: SCRIPTED });
    const passwordTexts = Array.from({ length: 64 }, (_, at) => `password ${at}`);
    expect(await Promise.all(passwordTexts.map((password) => passwords.hash(password)))).toEqual(
      passwordTexts.map((password) => `echo of ${password}`),
    );
  });

  test("has a limited queue, which drains", async () => {
    const passwords = start({ worker: SCRIPTED, queueLimit: 2 });
    const waiting = [passwords.hash("password 1"), passwords.hash("password 2")];
    await expect(passwords.hash("password 3")).rejects.toMatchObject({
      reason: "kernel.unavailable",
      message: "the password queue is full (2 jobs); try again",
    });
    await Promise.all(waiting);
    expect(await passwords.hash("password 4")).toBe("echo of password 4");
  });

  test.each([
    ["throws", "please throw", "the password worker crashed; try again"],
    ["exits", "please exit", "the password worker exited; try again"],
  ])("that %s rejects all pending jobs and restarts with the next job", async (_, password, message) => {
    const passwords = start({ worker: SCRIPTED });
    const waiting = [passwords.hash("please stall"), passwords.hash(password), passwords.hash("please stall")];
    for (const outcome of await Promise.allSettled(waiting)) {
      expect(outcome).toMatchObject({ status: "rejected", reason: { reason: "kernel.unavailable", message } });
    }
    expect(await passwords.hash("password 1")).toBe("echo of password 1");
  });

  test.each([
    ["loops", "please loop"],
    ["never responds", "please stall"],
  ])("that %s is replaced, and all pending jobs are rejected", async (_, password) => {
    const passwords = start({ worker: SCRIPTED, jobTime: 4000 });
    expect(await passwords.hash("password 0")).toBe("echo of password 0");
    const waiting = [passwords.hash(password), passwords.hash(password)];
    for (const outcome of await Promise.allSettled(waiting)) {
      expect(outcome).toMatchObject({
        status: "rejected",
        reason: {
          reason: "kernel.unavailable",
          message: "the password worker did not respond for 4 seconds; try again",
        },
      });
    }
    expect(await start({ worker: SCRIPTED }).hash("password 1")).toBe("echo of password 1");
    await expect.poll(() => passwords.hash("password 2").catch(() => "")).toBe("echo of password 2");
  });

  test("that fails on one password keeps serving the others", async () => {
    const passwords = start({ worker: SCRIPTED });
    const failing = passwords.hash("please fail");
    const other = passwords.hash("password 1");
    await expect(failing).rejects.toThrow("password hashing failed: out of memory");
    expect(await other).toBe("echo of password 1");
  });

  test("rejects pending and later jobs when it is closed", async () => {
    const passwords = start({ worker: SCRIPTED });
    const waiting = expect(passwords.hash("please stall")).rejects.toThrow("password hashing is closed");
    await passwords.close();
    await waiting;
    await expect(passwords.hash("password 1")).rejects.toMatchObject({ kind: "unavailable" });
    await passwords.close();
  });

  test("does not keep the process alive, but a pending job does", async () => {
    const script = fileURLToPath(new URL("hash_and_end.ts", FIXTURES));
    const options = "Deno" in globalThis ? ["run", "-A"] : [];
    const { stdout } = await promisify(execFile)(process.execPath, [...options, script], { timeout: 20_000 });
    expect(stdout).toMatch(/^true \$argon2id\$/);
  });
});
