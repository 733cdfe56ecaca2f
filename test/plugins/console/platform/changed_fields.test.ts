import { expect, test } from "vitest";
import { changedFields } from "../../../../plugins/console/app/areas/platform/audit/changed_fields.ts";

test("fields of a change are those that differ, as texts", () => {
  const before = { name: "old", state: 1, kept: "same", gone: [1] };
  const after = { name: "new", state: 0, kept: "same", added: { on: true } };
  expect(changedFields({ table: "plans", id: 7, before, after })).toEqual([
    { name: "name", before: "old", after: "new" },
    { name: "state", before: "1", after: "0" },
    { name: "gone", before: "[1]", after: "" },
    { name: "added", before: "", after: '{"on":true}' },
  ]);
});

test("a new row has all of its fields, and a deleted one too", () => {
  expect(changedFields({ after: { name: "new", note: null } })).toEqual([{ name: "name", before: "", after: "new" }]);
  expect(changedFields({ before: { name: "old" } })).toEqual([{ name: "name", before: "old", after: "" }]);
  expect(changedFields({ more: 3 })).toEqual([]);
});
