import { base64url, type JWTPayload, SignJWT } from "jose";
import { expect } from "vitest";
import { JwtTokens } from "../../../core/auth/token.ts";
import type { TokenSubject } from "../../../core/auth/token_claims.ts";
import { signingKeyRig, TOKEN_LIFETIME } from "./signing_key_rig.ts";

export const SUBJECT: TokenSubject = { role: "user", subjectId: 7n, keyId: 12n, source: "api_access_key", epoch: 3n };
const INVALID = { reason: "kernel.token_invalid", kind: "unauthenticated", message: "invalid access token" };

export async function tokenRig() {
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

export function decodeSegment(token: string, at: number): Record<string, unknown> {
  return JSON.parse(new TextDecoder().decode(base64url.decode(token.split(".")[at]!)));
}
