import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openTestDatabase } from "../../harness/database.ts";
import { withStatementLog } from "../../harness/statement_log.ts";
import { MailRig, root, rpc } from "./mail_rig.ts";

const OWNERS = [
  "kernel",
  "message_media_instance",
  "message_task",
  "user",
  "user_email_verification",
  "user_verify_code",
];
const WRONG = "00000000";

let directory: string;
let rig: MailRig;
/** The statements and cryptographic operations since the array was last cleared. */
const work: string[] = [];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "edgehelm-reset-"));
  let engine = await openTestDatabase(directory);
  for (const owner of OWNERS) engine = withStatementLog(engine, owner, ({ sql }) => work.push(`${owner}: ${sql}`));
  rig = await MailRig.open({}, [], engine);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rig[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
});

/** Returns what a call does, by the first words of its statements and the names of the operations. */
async function workOf(call: () => Promise<unknown>): Promise<string[]> {
  work.length = 0;
  await call();
  return [...work];
}

test("asking for a code and trying one are the same work, whether the address is that of a user or not", async () => {
  const known = (await rig.verifiedUser()).email;
  const unverified = `${(await rig.newUser()).username}@example.com`;
  const addresses = [known, unverified, "unknown@example.com"];
  for (const name of ["digest", "encrypt", "decrypt", "deriveBits"] as const) {
    const original = crypto.subtle[name].bind(crypto.subtle) as (...args: unknown[]) => Promise<never>;
    vi.spyOn(crypto.subtle, name).mockImplementation((...args: unknown[]) => {
      work.push(name);
      return original(...args);
    });
  }
  const form = (email: string, index: number) => ({ type: "resetPassword", email, ip: `192.0.2.${index + 1}` });
  const asked: string[][] = [];
  for (const [index, email] of addresses.entries()) {
    asked.push(await workOf(() => rig.edgehelm.call(root, rpc.sendUserVerifyCode, form(email, index))));
  }
  expect(asked[0]!.some((step) => step.includes(`insert into "userVerifyCodes"`))).toBe(true);
  expect(asked[0]!.filter((step) => step.startsWith("user:"))).toEqual([]);
  expect(asked[1]).toEqual(asked[0]);
  expect(asked[2]).toEqual(asked[0]);

  const mails = rig.mails.length;
  await rig.deliver();
  expect(rig.mails.slice(mails).map(({ user }) => user)).toEqual([known]);
  const tried: string[][] = [];
  for (const [index, email] of addresses.entries()) {
    const request = { ...form(email, index), code: WRONG, newPassword: "a better horse battery" };
    tried.push(
      await workOf(async () => {
        expect(await rig.edgehelm.call(root, rpc.validateUserVerifyCode, request)).toMatchObject({ isOk: false });
      }),
    );
  }
  expect(tried[0]!.some((step) => step.includes(`update "userVerifyCodes"`))).toBe(true);
  expect(tried[0]!.filter((step) => step === "decrypt")).toHaveLength(1);
  expect(tried[1]).toEqual(tried[0]);
  expect(tried[2]).toEqual(tried[0]);
});
