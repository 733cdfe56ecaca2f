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
    // Generated independently with node:crypto.
    const sealed = "v1.d25dec8aea6803b4.BwcHBwcHBwcHBwcH.5uIWQVIPeznWZCwrV9pd_7zV7Ina4f2cwhUwrfYwVw";
    expect(await sealer.open(sealed, PLACE)).toBe("kept since 2026");
  });

  test("differs each time it is sealed", async () => {
    const { sealer } = await testInstallationKey();
    expect(await sealer.seal("secret", PLACE)).not.toBe(await sealer.seal("secret", PLACE));
  });

  test("opens with another instance of the same key", async () => {
    const text = generateKeyText();
    const sealed = await (await InstallationKey.fromText(text, "test")).sealer.seal("secret", PLACE);
    expect(await (await InstallationKey.fromText(text, "test")).sealer.open(sealed, PLACE)).toBe("secret");
  });

  test.each([
    ["another table", { ...PLACE, table: "nodes" }],
    ["another column", { ...PLACE, column: "name" }],
    ["another row", { ...PLACE, row: "8" }],
    ["a table and a column that are equal when concatenated", { table: "accessKeyss", column: "ecret", row: "7" }],
    ["a column and a row that are equal when concatenated", { ...PLACE, column: "secret7", row: "" }],
  ])("does not open in %s", async (_, place) => {
    const { sealer } = await testInstallationKey();
    await expect(sealer.open(await sealer.seal("secret", PLACE), place)).rejects.toThrow(UnsealError);
  });

  test("does not open with another key, and the error names both keys", async () => {
    const [key, otherKey] = [await testInstallationKey(), await testInstallationKey()];
    const error = await otherKey.sealer.open(await key.sealer.seal("secret", PLACE), PLACE).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(WrongKeyError);
    expect(error).toMatchObject({
      keyId: otherKey.id,
      sealedWith: key.id,
      message: `accessKeys.secret of row "7" is sealed with the installation key ${key.id}, but the current key is ` +
        otherKey.id,
    });
  });

  test("does not open with another key that has the same id", async () => {
    const [key, otherKey] = [await testInstallationKey(), await testInstallationKey()];
    const sealed = await key.sealer.seal("secret", PLACE);
    await expect(otherKey.sealer.open(sealed.replace(key.id, otherKey.id), PLACE)).rejects.toThrow("was changed");
  });

  test("does not open with any single character changed", async () => {
    const { sealer } = await testInstallationKey();
    const sealed = await sealer.seal("secret", PLACE);
    for (let at = 0; at < sealed.length; at++) {
      const changed = sealed.slice(0, at) + (sealed[at] === "A" ? "B" : "A") + sealed.slice(at + 1);
      await expect(sealer.open(changed, PLACE), changed).rejects.toThrow(UnsealError);
    }
  });

  test.each(["", "secret", "v1", "v1..", "v1.a.b", "v2.a.b.c"])("cannot be %j", async (text) => {
    const { sealer } = await testInstallationKey();
    await expect(sealer.open(text, PLACE)).rejects.toThrow('accessKeys.secret of row "7" is not a sealed value');
  });

  test("does not open with a suffix or truncated", async () => {
    const { sealer } = await testInstallationKey();
    const sealed = await sealer.seal("secret", PLACE);
    for (const changed of [`${sealed}.`, `${sealed}=`, `${sealed} `, `${sealed}AAAA`, sealed.slice(0, -4)]) {
      await expect(sealer.open(changed, PLACE), changed).rejects.toThrow(UnsealError);
    }
  });
});
