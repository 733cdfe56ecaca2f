import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestKernel } from "edgehelm/testing";
import consolePlugin from "../../../../plugins/console/plugin.ts";
import tokens from "../../../../plugins/api_access_token/plugin.ts";
import { MailRig, PASSWORD } from "../../user_verify_code/mail_rig.ts";

let rig: MailRig;
let edgehelm: TestKernel;
beforeAll(async () => {
  rig = await MailRig.open({}, [consolePlugin, tokens]);
  ({ edgehelm } = rig);
});
afterAll(() => rig[Symbol.asyncDispose]());

const NEW_PASSWORD = "a better horse battery";

async function ask(name: string, fields: object, headers: Record<string, string> = {}) {
  const response = await edgehelm.fetch(
    new Request(`http://localhost/console/session/${name}`, {
      method: "POST",
      headers: { "x-edgehelm-console": "1", ...headers },
      body: JSON.stringify(fields),
    }),
  );
  const setCookie = response.headers.get("set-cookie") ?? "";
  return { ...await response.json(), cookie: setCookie.split(";", 1)[0]! };
}

test("a person who forgot the password sets another, which ends the sessions", async () => {
  const { username, email } = await rig.verifiedUser();
  const session = await ask("sign_in", { type: "user", username, password: PASSWORD });
  expect((await ask("token", {})).data).toMatchObject({ mayReset: true });
  expect(await ask("send_code", { email })).toMatchObject({ code: 200, data: { codeLength: 8 } });
  expect(await ask("reset_password", { email, code: "0", newPassword: NEW_PASSWORD }))
    .toMatchObject({ code: 400, reason: "console.reset_refused" });
  const code = await rig.codeTo(email);
  expect(await ask("reset_password", { email, code, newPassword: "short" }))
    .toMatchObject({ code: 400, message: expect.stringMatching(/^newPassword: /) });
  expect(await ask("reset_password", { email, code: ` ${code} `, newPassword: NEW_PASSWORD })).toMatchObject({
    code: 200,
  });
  expect((await ask("list", {}, { cookie: session.cookie })).code).toBe(401);
  expect((await ask("sign_in", { type: "user", username, password: PASSWORD })).code).toBe(401);
  expect((await ask("sign_in", { type: "user", username, password: NEW_PASSWORD })).code).toBe(200);
});

test("another site can ask for nothing", async () => {
  for (const name of ["send_code", "reset_password"]) {
    expect(await ask(name, { email: "a@example.com" }, { "sec-fetch-site": "cross-site" })).toMatchObject({
      code: 403,
    });
  }
});
