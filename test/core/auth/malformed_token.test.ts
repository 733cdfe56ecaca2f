import { base64url } from "jose";
import { describe, expect, test } from "vitest";
import { SUBJECT, tokenRig } from "./token_rig.ts";

describe("a forged token is refused", () => {
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
    ["epoch", ["", 12, "-1", "012", "1.0"]],
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
