import { describe, expect, test } from "vitest";
import { ask, codeWith, cookieOf, edgehelm, newUser, PASSWORD, signIn, useKernel } from "./sessions_rig.ts";

const PERSON = { password: PASSWORD, fullname: "Mary Somerville", email: "mary@example.com", mobile: "" };
const EXPLAINED = { code: 409, reason: "user.username_taken" };

describe("where users register themselves", () => {
  useKernel({ user: { registration: true, requireVerification: true } });

  test("a page learns it, and a person who registers is signed in as a user who waits for approval", async () => {
    expect((await ask("token", {})).data).toEqual({ mayRegister: true, mayReset: false });
    const asked = await ask("register", { ...PERSON, username: "mary" });
    expect(asked).toMatchObject({ code: 200, data: { type: "user", mustSetUp: false } });
    expect(asked.setCookie).toMatch(/HttpOnly; SameSite=Strict/);
    expect(await codeWith(asked)).toBe(200);
    const token = String(asked.data["token"]);
    const response = await edgehelm.fetch(
      new Request("http://localhost/UserAccessKeyService/createUserAccessKey", {
        method: "POST",
        headers: { "x-cloud-access-token": token },
        body: JSON.stringify({ description: "mine" }),
      }),
    );
    expect(await response.json()).toMatchObject({ code: 403, reason: "user.state_forbids" });
    expect((await ask("sign_out", {}, cookieOf(asked))).code).toBe(200);
    expect((await signIn("user", "mary")).code).toBe(200);
  });

  test("a taken name and a wrong field are refused without a session", async () => {
    const { username } = await newUser();
    const taken = await ask("register", { ...PERSON, username });
    expect(taken).toMatchObject(EXPLAINED);
    expect(taken.setCookie).toBe("");
    const wrong = await ask("register", { ...PERSON, username: "mary2", email: "mary" });
    expect(wrong).toMatchObject({ code: 400, message: expect.stringMatching(/^email: /) });
  });

  test("another site cannot register people", async () => {
    const asked = await ask("register", { ...PERSON, username: "mary3" }, { "sec-fetch-site": "cross-site" });
    expect(asked).toMatchObject({ code: 403, reason: "console.foreign" });
  });
});

describe("by default", () => {
  useKernel();

  test("a page learns that nothing is open, and there is no such request", async () => {
    expect((await ask("token", {})).data).toEqual({ mayRegister: false, mayReset: false });
    const request = new Request("http://localhost/console/session/register", { method: "POST", body: "{}" });
    expect((await edgehelm.fetch(request)).status).toBe(404);
  });
});
