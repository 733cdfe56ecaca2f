import { describe, expect, test } from "vitest";
import { generateKeyText, InstallationKey } from "../../../core/auth/installation_key.ts";
import { StartupError } from "../../../core/base/startup_error.ts";
import { testInstallationKey } from "./signing_key_rig.ts";

// Bytes whose base64 has + and /, so that the two alphabets differ.
const HEX = "fbff".repeat(16);
const BASE64 = "+//7//v/+//7//v/+//7//v/+//7//v/+//7//v/+/8=";
const BASE64URL = "-__7__v_-__7__v_-__7__v_-__7__v_-__7__v_-_8";

describe("an installation key from text", () => {
  test.each([
    ["hexadecimal", HEX],
    ["upper case hexadecimal", HEX.toUpperCase()],
    ["base64", BASE64],
    ["base64 without padding", BASE64.replace("=", "")],
    ["base64url", BASE64URL],
    ["base64url with padding", `${BASE64URL}=`],
    ["text with a line break", `${BASE64}\r\n`],
  ])("is the same key from %s", async (_, text) => {
    const key = await InstallationKey.fromText(text, "EDGEHELM_KEY");
    expect(key.id).toBe("d25dec8aea6803b4");
    // Computed independently with SHA-256, HKDF and HMAC. Databases store it, so it must never change.
    expect(await key.checkValue()).toBe("d25dec8aea6803b4.75ISqwnH9PWymPf9CjWeYipHb_ArptcdnAYS3y3fklE");
  });

  test.each([
    ["nothing", ""],
    ["a short hexadecimal text", HEX.slice(2)],
    ["a long hexadecimal text", `${HEX}ff`],
    ["31 bytes", BASE64URL.slice(0, 42)],
    ["33 bytes", `${BASE64URL}A`],
    ["both alphabets in one text", BASE64.replace("/", "_")],
    ["stray bits in the last character", `${BASE64URL.slice(0, 42)}9`],
    ["padding in the middle", `${BASE64URL.slice(0, 20)}=${BASE64URL.slice(21)}`],
    ["a passphrase", "correct horse battery staple correct horse!"],
  ])("refuses %s, names its source, and does not repeat it", async (_, text) => {
    const key = InstallationKey.fromText(text, "EDGEHELM_KEY");
    await expect(key).rejects.toThrow(StartupError);
    await expect(key).rejects.toThrow(/^EDGEHELM_KEY must be an installation key: 32 bytes as base64/);
    if (text !== "") await expect(key).rejects.not.toThrow(text);
  });

  test("is refused if it does not have 32 bytes", async () => {
    await expect(InstallationKey.fromBytes(new Uint8Array(16))).rejects.toThrow("an installation key has 32 bytes");
  });

  test("differs each time it is generated", async () => {
    const [first, second] = [generateKeyText(), generateKeyText()];
    expect(first).not.toBe(second);
    expect((await InstallationKey.fromText(first, "test")).id).toMatch(/^[0-9a-f]{16}$/);
  });
});

describe("a check value", () => {
  test("matches its own key only", async () => {
    const [key, otherKey] = [await testInstallationKey(), await testInstallationKey()];
    const checkValue = await key.checkValue();
    expect(await key.matches(checkValue)).toBe(true);
    expect(await otherKey.matches(checkValue)).toBe(false);
    await key.requireMatch(checkValue);
  });

  test("of another key throws a StartupError with both ids and advice", async () => {
    const [key, otherKey] = [await testInstallationKey(), await testInstallationKey()];
    const match = otherKey.requireMatch(await key.checkValue());
    await expect(match).rejects.toThrow(StartupError);
    await expect(match).rejects.toThrow(
      `the installation key does not belong to this database: its id is ${otherKey.id}, the database was made with ` +
        `${key.id}; set EDGEHELM_KEY or EDGEHELM_KEY_FILE to the key that was in use when it was made`,
    );
  });

  test("with the right id and a wrong proof does not match", async () => {
    const key = await testInstallationKey();
    expect(await key.matches(`${key.id}.${"A".repeat(43)}`)).toBe(false);
  });
});
