import { Buffer } from "node:buffer";
import { expect, test } from "vitest";
import { Needles } from "./needles.ts";

const CORE = "k7Qm2ZpX9vT4bN8c";
const needles = new Needles();
needles.add("the key", CORE);

test.each([
  ["plain", CORE],
  ["JSON", JSON.stringify({ a: `"${CORE}\\` })],
  ["hex", Buffer.from(CORE).toString("hex")],
  ["hex in capitals", Buffer.from(CORE).toString("hex").toUpperCase()],
  ["base64", Buffer.from(CORE).toString("base64")],
  ["base64 after one byte", Buffer.from(`x${CORE}y`).toString("base64")],
  ["base64 after two bytes", Buffer.from(`xy${CORE}y`).toString("base64")],
  ["base64url", Buffer.from(CORE).toString("base64url")],
  ["decoded", Buffer.from(CORE, "base64")],
])("a secret is found as %s", (_form, content) => {
  expect(needles.find(Buffer.concat([Buffer.from("before "), Buffer.from(content), Buffer.from(" after")])))
    .toHaveLength(1);
});

test("nothing is found where a secret is not", () => {
  expect(needles.find(Buffer.from(CORE.slice(0, -1)))).toEqual([]);
});
