import { describe, expect, test } from "vitest";
import { JwtTokens } from "../../../core/auth/token.ts";
import { TOKEN_LIFETIME } from "./signing_key_rig.ts";
import { decodeSegment, SUBJECT, tokenRig } from "./token_rig.ts";

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
      const subject = {
        role,
        subjectId: 9_223_372_036_854_775_807n,
        keyId: 9_007_199_254_740_993n,
        source: "ns_node",
        epoch: 0n,
      };
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
      epoch: "3",
      jti: claims.id,
      iat: clock.seconds,
      nbf: clock.seconds,
      exp: clock.seconds + TOKEN_LIFETIME,
    });
  });

  test("of a release that wrote no epoch belongs to the first one", async () => {
    const { tokens, sign } = await tokenRig();
    expect(await tokens.verify("reader", await sign({ epoch: undefined }))).toEqual(
      expect.objectContaining({ ...SUBJECT, epoch: 0n }),
    );
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
