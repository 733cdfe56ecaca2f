import { expect, test } from "vitest";
import { describeChanges } from "../../../../core/calls/audit/masked_values.ts";
import type { SqlValue } from "../../../../core/storage/engine.ts";

const SEALED_COLUMNS = new Set(["keys.code"]);
const textOf = (column: string, value: SqlValue) => {
  const change = { table: "keys", id: 7n, before: undefined, after: { [column]: value } };
  const { objects, changesJSON } = describeChanges([change], 0, SEALED_COLUMNS);
  expect(objects).toBe("keys/7");
  return JSON.parse(changesJSON)[0].after[column];
};
const bytes = (text: string) => new TextEncoder().encode(text);

test.each<[SqlValue, unknown]>([
  ["plain.example-1.test", "plain.example-1.test"],
  ['say "hi"\n', 'say "hi"\n'],
  ["", ""],
  ["[]", []],
  ['{"a":[1]}', { a: [1] }],
  ['{"secret":"s"}', { secret: "(masked)" }],
  ["https://ada:pass@host.test/", "https://(masked)@host.test/"],
  ["v1.key.nonce.ciphertext", "(masked)"],
  ["v1.2", "v1.2"],
  ["-----BEGIN PRIVATE KEY-----", "(masked)"],
  [5n, 5],
  [2n ** 60n, String(2n ** 60n)],
  [1.5, 1.5],
  [null, null],
  [bytes('{"token":"t"}'), { token: "(masked)" }],
  [bytes("\0\0"), { bytes: 2 }],
])("a value %o is described as %o", (value, described) => {
  expect(textOf("title", value)).toEqual(described);
});

test("values of secret and sealed columns are masked, unless they are empty", () => {
  expect([textOf("secret", "s"), textOf("code", "c"), textOf("secret", "[]")]).toEqual(Array(3).fill("(masked)"));
  expect([textOf("secret", ""), textOf("code", ""), textOf("code", null)]).toEqual(["", "", null]);
});
