import { describe, expect, test } from "vitest";
import { ROTATE_DAYS, TOKEN_LIFETIME } from "./signing_key_rig.ts";
import { decodeSegment, SUBJECT, tokenRig } from "./token_rig.ts";

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
