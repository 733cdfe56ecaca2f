import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { hashOf, LOCK_PATH, migrationErrors, migrationHashes } from "./migration_hashes.ts";

test("released migrations are unchanged, and new ones are locked", () => {
  const found = migrationHashes();
  expect(Object.keys(found).length).toBeGreaterThan(1);
  expect(migrationErrors(JSON.parse(readFileSync(LOCK_PATH, "utf8")), found)).toEqual([]);
});

test("changed, missing and new migrations are reported", () => {
  const locked = { a: hashOf("create"), b: hashOf("b") };
  expect(migrationErrors(locked, { a: hashOf("create  other"), c: "new" })).toEqual([
    expect.stringMatching(/^a was released and has changed: revert/),
    expect.stringMatching(/^b was released and is missing/),
    expect.stringMatching(/^c is new: run "deno run -A test\/rules\/lock_migrations.ts"/),
  ]);
  expect(migrationErrors({ a: hashOf("x y") }, { a: hashOf("x\n  y") })).toEqual([]);
});
