import { afterAll, beforeAll, expect, test } from "vitest";
import { recordsOf } from "../../core/calls/audit/rig.ts";
import { MailRig, root, rpc } from "./mail_rig.ts";

const NEW_PASSWORD = "a better horse battery";

let rig: MailRig;
beforeAll(async () => {
  rig = await MailRig.open();
});
afterAll(() => rig[Symbol.asyncDispose]());

test("a reset is on record with who did it and whose password it was, without code, password or hash", async () => {
  const { userId, email } = await rig.verifiedUser();
  const form = { type: "resetPassword", email, ip: "192.0.2.1" };
  await rig.edgehelm.call(root, rpc.sendUserVerifyCode, form);
  const code = await rig.codeTo(email);
  const request = { ...form, code, newPassword: NEW_PASSWORD };
  await rig.edgehelm.call(root, rpc.validateUserVerifyCode, request);
  const records = await recordsOf(rig.edgehelm, "validateUserVerifyCode");
  const about = records.filter(({ objects }) => objects.split(" ").includes(`users/${userId}`));
  expect(about).toMatchObject([{ role: "admin", callerId: 1n, code: 200n }]);
  const changes = JSON.parse(about[0]!.changesJSON) as readonly { readonly table: string }[];
  expect(changes.find(({ table }) => table === "users")).toMatchObject({
    id: Number(userId),
    before: { password: "(masked)" },
    after: { password: "(masked)" },
  });
  expect(changes.find(({ table }) => table === "userVerifyCodes")).toMatchObject({ before: { code: "(masked)" } });
  const everything = (await recordsOf(rig.edgehelm)).map(({ changesJSON }) => changesJSON).join("\n");
  for (const secret of [code, NEW_PASSWORD, "argon2", "scrypt"]) expect(everything).not.toContain(secret);
});
