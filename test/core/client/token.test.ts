import { expect, test } from "vitest";
import { createClient, type Fetch } from "edgehelm/client";
import { EchoService } from "../../fixtures/echo/proto/echo_pb.ts";

/** A server that counts exchanges and accepts only the last token that it issued. */
function server({ lifetimeSeconds = 7200 } = {}) {
  const state = { exchanges: 0, accepted: "", calls: 0 };
  const respond = (data: object, code = 200, reason = "") =>
    Promise.resolve(Response.json({ code, data, message: "", reason }));
  const fetch: Fetch = (input, init) => {
    if (input.endsWith("/APIAccessTokenService/getAPIAccessToken")) {
      expect(JSON.parse(String(init.body))).toEqual({ type: "admin", accessKeyId: "id", accessKey: "secret" });
      state.accepted = `token${++state.exchanges}`;
      const expiresAt = Math.floor(Date.now() / 1000) + lifetimeSeconds;
      return respond({ token: state.accepted, expiresAt });
    }
    state.calls++;
    const token = new Headers(init.headers).get("x-cloud-access-token");
    return token === state.accepted ? respond({ number: 1 }) : respond({}, 401, "kernel.token_invalid");
  };
  const accessKey = { type: "admin", id: "id", secret: "secret" } as const;
  return { state, echo: createClient({ baseUrl: "http://localhost", accessKey, fetch }).service(EchoService).echo };
}

test("calls at the same time share one token", async () => {
  const { state, echo } = server();
  await Promise.all(Array.from({ length: 20 }, () => echo()));
  await echo();
  expect(state).toMatchObject({ exchanges: 1, calls: 21 });
});

test("a token is renewed before it ends", async () => {
  const { state, echo } = server({ lifetimeSeconds: 59 });
  await echo();
  await echo();
  expect(state).toMatchObject({ exchanges: 2, calls: 2 });
});

test("a token that the server refuses is renewed once", async () => {
  const { state, echo } = server();
  await echo();
  state.accepted = "revoked";
  expect(await echo()).toMatchObject({ number: 1n });
  expect(state).toMatchObject({ exchanges: 2, calls: 3 });
});

test("a key that the server refuses is an error", async () => {
  const refused: Fetch = () =>
    Promise.resolve(Response.json({ code: 401, data: {}, message: "no", reason: "access_token.refused" }));
  const accessKey = { type: "user", id: "id", secret: "wrong" } as const;
  const { echo } = createClient({ baseUrl: "http://localhost", accessKey, fetch: refused }).service(EchoService);
  await expect(echo()).rejects.toMatchObject({ code: 401, reason: "access_token.refused" });
});
