import { base64url, type JWTPayload, SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { JwtTokens } from "../../../core/auth/token.ts";
import type { TokenSubject } from "../../../core/auth/token_claims.ts";
import { ROTATE_DAYS, signingKeyRig, TOKEN_LIFETIME } from "./signing_key_rig.ts";

const SUBJECT: TokenSubject = { role: "user", subjectId: 7n, keyId: 12n, source: "api_access_key" };
const INVALID = { reason: "kernel.token_invalid", kind: "unauthenticated", message: "invalid access token" };

async function tokenRig() {
  const rig = await signingKeyRig();
  const options = { installationId: "abc", lifetimeSeconds: TOKEN_LIFETIME, now: rig.clock.now };
  const tokens = new JwtTokens({ ...options, keys: rig.keys });
  const { token, claims } = await tokens.issue("reader", SUBJECT);
  const { kid, privateKey, publicJwk } = await rig.keys.current("reader");
  const refuse = (forged: string) => expect(tokens.verify("reader", forged), forged).rejects.toMatchObject(INVALID);
  const payload: JWTPayload = decodeSegment(token, 1);
  /** Signs claims and headers that `issue` would not write, with the installation's key. */
  const sign = (changes: Record<string, unknown>, header: Record<string, unknown> = {}) =>
    new SignJWT({ ...payload, ...changes })
      .setProtectedHeader({ alg: "EdDSA", typ: "at+jwt", kid, ...header })
      .sign(privateKey);
  return { ...rig, options, tokens, token, claims, kid, privateKey, publicJwk, payload, refuse, sign };
}

function decodeSegment(token: string, at: number): Record<string, unknown> {
  return JSON.parse(new TextDecoder().decode(base64url.decode(token.split(".")[at]!)));
}

function withHeader(token: string, header: unknown): string {
  const [, ...rest] = token.split(".");
  return [base64url.encode(JSON.stringify(header)), ...rest].join(".");
}

describe("an access token", () => {
  test("verifies to the claims that it was issued with", async () => {
    const { tokens, token, claims, clock } = await tokenRig();
    expect(await tokens.verify("reader", token)).toEqual({
      ...SUBJECT,
      expiresAt: clock.seconds + TOKEN_LIFETIME,
      id: claims.id,
    });
    expect(claims).toEqual(await tokens.verify("reader", token));
  });

  test.each(["admin", "user", "dns", "node", "report"] as const)(
    "carries the role %s and 64-bit ids",
    async (role) => {
      const { tokens } = await tokenRig();
      const subject = { role, subjectId: 9_223_372_036_854_775_807n, keyId: 9_007_199_254_740_993n, source: "ns_node" };
      const { token } = await tokens.issue("reader", subject);
      expect(await tokens.verify("reader", token)).toMatchObject(subject);
    },
  );

  test("is a JWT with the documented header and claims", async () => {
    const { token, kid, clock, claims } = await tokenRig();
    expect(decodeSegment(token, 0)).toEqual({ alg: "EdDSA", typ: "at+jwt", kid });
    expect(decodeSegment(token, 1)).toEqual({
      iss: "edgehelm:abc",
      aud: "edgehelm",
      sub: "user:7",
      key: "12",
      src: "api_access_key",
      jti: claims.id,
      iat: clock.seconds,
      nbf: clock.seconds,
      exp: clock.seconds + TOKEN_LIFETIME,
    });
  });

  test("has a unique id", async () => {
    const { tokens, claims } = await tokenRig();
    expect((await tokens.issue("reader", SUBJECT)).claims.id).not.toBe(claims.id);
  });

  test("verifies on every instance", async () => {
    const { token, options, newInstance } = await tokenRig();
    const other = new JwtTokens({ ...options, keys: newInstance() });
    expect(await other.verify("reader", token)).toMatchObject(SUBJECT);
  });

  test("is accepted with both names of its algorithm", async () => {
    const { tokens, sign } = await tokenRig();
    for (const alg of ["EdDSA", "Ed25519"]) {
      expect(await tokens.verify("reader", await sign({}, { alg }))).toMatchObject(SUBJECT);
    }
  });

  test("is not reported as invalid if the database fails", async () => {
    const { tokens, token, clock } = await tokenRig();
    clock.advance(60);
    await expect(tokens.verify("broken", token)).rejects.toThrow("the database is down");
  });
});

describe("the lifetime of a token", () => {
  test("ends at the returned expiry time, without leeway", async () => {
    const { tokens, token, clock, refuse } = await tokenRig();
    clock.advance(TOKEN_LIFETIME - 1);
    expect(await tokens.verify("reader", token)).toMatchObject(SUBJECT);
    clock.advance(0.999);
    expect(await tokens.verify("reader", token)).toMatchObject(SUBJECT);
    clock.advance(0.001);
    await refuse(token);
    clock.advance(30);
    await refuse(token);
  });

  test("may begin up to 60 seconds in the future, because clocks differ", async () => {
    const { tokens, token, clock, refuse } = await tokenRig();
    clock.advance(-60);
    expect(await tokens.verify("reader", token)).toMatchObject(SUBJECT);
    clock.advance(-1);
    await refuse(token);
  });

  test.each(["nbf", "iat"])("is checked against %s separately", async (claim) => {
    const { tokens, clock, sign, refuse } = await tokenRig();
    expect(await tokens.verify("reader", await sign({ [claim]: clock.seconds + 60 }))).toMatchObject(SUBJECT);
    await refuse(await sign({ [claim]: clock.seconds + 61 }));
  });

  test("does not end with a rotation of its key", async () => {
    const { tokens, clock, keys, kid } = await tokenRig();
    clock.advance(ROTATE_DAYS * 86_400);
    await keys.rotateIfDue("reader");
    clock.advance(59);
    const lastOfKey = await tokens.issue("reader", SUBJECT);
    expect(decodeSegment(lastOfKey.token, 0).kid).toBe(kid);
    clock.advance(1);
    expect(decodeSegment((await tokens.issue("reader", SUBJECT)).token, 0).kid).not.toBe(kid);
    clock.advance(TOKEN_LIFETIME - 2);
    await keys.rotateIfDue("reader");
    expect(await tokens.verify("reader", lastOfKey.token)).toMatchObject(SUBJECT);
  });
});

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

  test.each([
    ["sub", [
      undefined,
      "",
      "user",
      "user:",
      "root:7",
      "user:-7",
      "user:07",
      "user:7 ",
      "user:7\n",
      "User:7",
      "user:1e3",
    ]],
    ["key", [undefined, "", 12, "-1", "012", "12.0", "1 2"]],
    ["src", [undefined, "", 5]],
    ["jti", [undefined, ""]],
    ["exp", [undefined, "9999999999", null, 0]],
    ["iat", [undefined, "0"]],
    ["nbf", [undefined, "0"]],
  ])("with %s missing or malformed", async (claim, values) => {
    const { sign, refuse } = await tokenRig();
    for (const value of values) await refuse(await sign({ [claim]: value }));
  });

  test("in non-canonical base64url", async () => {
    const { token, refuse } = await tokenRig();
    const [header, payload, signature] = token.split(".") as [string, string, string];
    await refuse(`${token}=`);
    await refuse(`${token}==`);
    await refuse(` ${token}`);
    await refuse(`${token}\n`);
    await refuse([header, payload, ` ${signature}`].join("."));
    await refuse([`${header.slice(0, 4)} ${header.slice(4)}`, payload, signature].join("."));
    await refuse([header, payload, toBase64(signature)].join("."));
    // The last of the 86 characters holds two bits, so 15 other characters decode to the same bytes.
    const equivalent = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"]
      .map((last) => signature.slice(0, -1) + last)
      .filter((text) => text !== signature && sameBytes(text, signature));
    expect(equivalent).toHaveLength(15);
    for (const text of equivalent) await refuse([header, payload, text].join("."));
  });

  test("with the order of the curve added to its signature", async () => {
    const { token, refuse } = await tokenRig();
    const [header, payload, signature] = token.split(".");
    const bytes = base64url.decode(signature!);
    const order = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n;
    let scalar = order;
    for (let at = 63; at >= 32; at--) scalar += BigInt(bytes[at]!) << BigInt((at - 32) * 8);
    for (let at = 32; at < 64; at++) bytes[at] = Number((scalar >> BigInt((at - 32) * 8)) & 255n);
    await refuse([header, payload, base64url.encode(bytes)].join("."));
  });

  test.each(["", ".", "..", "...", "a.b.c", "e30.e30.", "e30.e30.e30", "bnVsbA.e30.AA", "W10.e30.AA", "IjEi.e30.AA"])(
    "if it is %j",
    async (text) => {
      const { refuse, store } = await tokenRig();
      store.reads = 0;
      await refuse(text);
      expect(store.reads).toBe(0);
    },
  );

  test("with two, four or five segments", async () => {
    const { token, refuse } = await tokenRig();
    await refuse(token.slice(0, token.lastIndexOf(".")));
    await refuse(`${token}.`);
    await refuse(`${token}.e30`);
    await refuse(`${token}.e30.e30`);
  });

  test("if it is longer than 2 KiB, although the right key signed it", async () => {
    const { tokens, sign, refuse } = await tokenRig();
    expect(await tokens.verify("reader", await sign({ padding: "x".repeat(1100) }))).toMatchObject(SUBJECT);
    await refuse(await sign({ padding: "x".repeat(1500) }));
  });
});

function toBase64(text: string): string {
  const padded = text.replaceAll("-", "+").replaceAll("_", "/");
  return padded === text ? `${text}==` : padded;
}

function sameBytes(first: string, second: string): boolean {
  return base64url.decode(first).toString() === base64url.decode(second).toString();
}
