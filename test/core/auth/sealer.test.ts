import { describe, expect, test } from "vitest";
import { generateKeyText, InstallationKey } from "../../../core/auth/installation_key.ts";
import { UnsealError, WrongKeyError } from "../../../core/auth/sealer.ts";
import { testInstallationKey } from "./signing_key_rig.ts";

const PLACE = { table: "accessKeys", column: "secret", row: "7" };

describe("a sealed value", () => {
  test.each(["", "secret", "zażółć 🔑", "x".repeat(10_000)])("opens where it was sealed: %#", async (plaintext) => {
    const { id, sealer } = await testInstallationKey();
    const sealed = await sealer.seal(plaintext, PLACE);
    expect(sealed).toMatch(new RegExp(`^v1\\.${id}\\.[A-Za-z0-9_-]{16}\\.[A-Za-z0-9_-]{22,}$`));
    expect(await sealer.open(sealed, PLACE)).toBe(plaintext);
  });

  test("of an older release still opens", async () => {
    const { sealer } = await InstallationKey.fromText("fbff".repeat(16), "test");
    // Made with node:crypto alone.
    const sealed = "v1.d25dec8aea6803b4.BwcHBwcHBwcHBwcH.5uIWQVIPeznWZCwrV9pd_7zV7Ina4f2cwhUwrfYwVw";
    expect(await sealer.open(sealed, PLACE)).toBe("kept since 2026");
  });

  test("differs each time", async () => {
    const { sealer } = await testInstallationKey();
    expect(await sealer.seal("secret", PLACE)).not.toBe(await sealer.seal("secret", PLACE));
  });

  test("opens with the same key read again", async () => {
    const text = generateKeyText();
    const sealed = await (await InstallationKey.fromText(text, "test")).sealer.seal("secret", PLACE);
    expect(await (await InstallationKey.fromText(text, "test")).sealer.open(sealed, PLACE)).toBe("secret");
  });

  test.each([
    ["another table", { ...PLACE, table: "nodes" }],
    ["another column", { ...PLACE, column: "name" }],
    ["another row", { ...PLACE, row: "8" }],
    ["names that only look alike when joined", { table: "accessKeyss", column: "ecret", row: "7" }],
    ["a column and a row that only look alike when joined", { ...PLACE, column: "secret7", row: "" }],
  ])("does not open in %s", async (_, place) => {
    const { sealer } = await testInstallationKey();
    await expect(sealer.open(await sealer.seal("secret", PLACE), place)).rejects.toThrow(UnsealError);
  });

  test("names both keys when it was sealed with another", async () => {
    const [key, stranger] = [await testInstallationKey(), await testInstallationKey()];
    const error = await stranger.sealer.open(await key.sealer.seal("secret", PLACE), PLACE).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(WrongKeyError);
    expect(error).toMatchObject({
      keyId: stranger.id,
      sealedWith: key.id,
      message: `accessKeys.secret of row "7" is sealed with the installation key ${key.id}, the key at hand is ` +
        stranger.id,
    });
  });

  test("does not open under another key that takes its id", async () => {
    const [key, stranger] = [await testInstallationKey(), await testInstallationKey()];
    const sealed = await key.sealer.seal("secret", PLACE);
    await expect(stranger.sealer.open(sealed.replace(key.id, stranger.id), PLACE)).rejects.toThrow("was changed");
  });

  test("does not open when any one character is changed", async () => {
    const { sealer } = await testInstallationKey();
    const sealed = await sealer.seal("secret", PLACE);
    for (let at = 0; at < sealed.length; at++) {
      const changed = sealed.slice(0, at) + (sealed[at] === "A" ? "B" : "A") + sealed.slice(at + 1);
      await expect(sealer.open(changed, PLACE), changed).rejects.toThrow(UnsealError);
    }
  });

  test.each(["", "secret", "v1", "v1..", "v1.a.b", "v2.a.b.c"])("is not %j", async (text) => {
    const { sealer } = await testInstallationKey();
    await expect(sealer.open(text, PLACE)).rejects.toThrow('accessKeys.secret of row "7" is not a sealed value');
  });

  test("does not open with something behind it, or cut", async () => {
    const { sealer } = await testInstallationKey();
    const sealed = await sealer.seal("secret", PLACE);
    for (const changed of [`${sealed}.`, `${sealed}=`, `${sealed} `, `${sealed}AAAA`, sealed.slice(0, -4)]) {
      await expect(sealer.open(changed, PLACE), changed).rejects.toThrow(UnsealError);
    }
  });
});
