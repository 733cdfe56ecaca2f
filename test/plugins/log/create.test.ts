import { describe, expect, test } from "vitest";
import { admin, list, useKernel, write } from "./rig.ts";

useKernel();

function bytes(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}

describe("createLog", () => {
  test("uses the code and its arguments if there is no description, and truncates long values", async () => {
    const langMessageArgsJSON = bytes(["n1", 7, true]);
    await write(admin, "", { langMessageCode: "node@deleted", langMessageArgsJSON });
    await write(admin, "", { langMessageCode: "node@cleared" });
    await write(admin, "a description", { langMessageCode: "node@deleted", langMessageArgsJSON });
    await write(admin, "x".repeat(2000), { action: "a".repeat(300), ip: "i".repeat(100) });
    const [long, ...others] = await list();
    expect(others.map(({ description }) => description))
      .toEqual(["a description", "node@cleared", "node@deleted: n1, 7, true"]);
    expect(long).toMatchObject({ description: "x".repeat(1000), action: "a".repeat(255), ip: "i".repeat(64) });
  });

  test.each([
    [{ level: "" }, 'level: must be one of info, warn, error, got ""'],
    [{ description: " " }, "description: must not be empty if langMessageCode is empty too"],
    [
      { langMessageArgsJSON: bytes({ a: 1 }) },
      "langMessageArgsJSON: must be a JSON array of strings, numbers and booleans",
    ],
    [
      { langMessageArgsJSON: bytes([[1]]) },
      "langMessageArgsJSON: must be a JSON array of strings, numbers and booleans",
    ],
    [{ langMessageArgsJSON: new Uint8Array([0xff]) }, "langMessageArgsJSON: must be JSON in UTF-8"],
    [{ langMessageArgsJSON: bytes(["x".repeat(5000)]) }, "langMessageArgsJSON: must have at most 4096 bytes, got 5004"],
  ])("refuses %o", async (wrong, message) => {
    await expect(write(admin, "text", wrong)).rejects.toMatchObject({ code: 400, message });
  });
});
