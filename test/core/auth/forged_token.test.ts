import { base64url, SignJWT } from "jose";
import { describe, test } from "vitest";
import { tokenRig } from "./token_rig.ts";

function withHeader(token: string, header: unknown): string {
  const [, ...rest] = token.split(".");
  return [base64url.encode(JSON.stringify(header)), ...rest].join(".");
}

describe("a forged token is refused", () => {
  test("with any single character changed", async () => {
    const { token, refuse } = await tokenRig();
    for (let at = 0; at < token.length; at++) {
      await refuse(token.slice(0, at) + (token[at] === "A" ? "B" : "A") + token.slice(at + 1));
    }
  });

  test.each(["none", "None", "HS256", "ES256", "RS256", "eddsa", "", 1, null, ["EdDSA"], undefined])(
    "with the algorithm %j, signed or not",
    async (alg) => {
      const { token, kid, refuse } = await tokenRig();
      const changed = withHeader(token, { alg, typ: "at+jwt", kid });
      await refuse(changed);
      await refuse(`${changed.slice(0, changed.lastIndexOf("."))}.`);
    },
  );

  test("with an HMAC signature whose secret is the public key", async () => {
    const { payload, kid, publicJwk, refuse } = await tokenRig();
    const secrets = [publicJwk.x!, base64url.decode(publicJwk.x!), JSON.stringify(publicJwk)];
    for (const secret of secrets) {
      const bytes = typeof secret === "string" ? new TextEncoder().encode(secret) : secret;
      await refuse(await new SignJWT(payload).setProtectedHeader({ alg: "HS256", typ: "at+jwt", kid }).sign(bytes));
    }
  });

  test.each([
    { jwk: { kty: "OKP", crv: "Ed25519", x: "A".repeat(43) } },
    { jku: "https://example.com/keys" },
    { x5u: "https://example.com/certificate" },
    { x5c: ["MIIB"] },
    { b64: true, crit: ["b64"] },
    { cty: "JWT" },
    { made_up: 1 },
  ])("with %j in its header, although the right key signed it", async (header) => {
    const { sign, refuse } = await tokenRig();
    await refuse(await sign({}, header));
  });

  test("with another key under the right kid, under its own kid, or in the header", async () => {
    const { refuse, kid, payload } = await tokenRig();
    const otherKey = await (await tokenRig()).keys.current("reader");
    const forge = (header: Record<string, unknown>) =>
      new SignJWT(payload).setProtectedHeader({ alg: "EdDSA", typ: "at+jwt", ...header }).sign(otherKey.privateKey);
    await refuse(await forge({ kid }));
    await refuse(await forge({ kid: otherKey.kid }));
    await refuse(await forge({ kid, jwk: otherKey.publicJwk }));
    await refuse(await forge({}));
  });

  test("for another installation, audience or type", async () => {
    const { sign, refuse } = await tokenRig();
    for (const iss of ["edgehelm:abcd", "edgehelm:", "", undefined]) await refuse(await sign({ iss }));
    for (const aud of ["other", "", [], undefined]) await refuse(await sign({ aud }));
    for (const typ of ["JWT", "at+JWT", "application/at+jwt", "", undefined]) await refuse(await sign({}, { typ }));
  });
});
