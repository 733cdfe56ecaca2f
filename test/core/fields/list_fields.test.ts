import { idField, listField, textField } from "edgehelm";
import { referencesField } from "edgehelm/fields";
import { expect, test } from "vitest";

test("listField checks each item, the length, and that items are unique where required", () => {
  expect(listField("ids", [1n, 2n, 1n], idField)).toEqual([1n, 2n, 1n]);
  expect(() => listField("ids", [1n, 0n], idField)).toThrow("ids[1]: must be a positive id, got 0");
  expect(() => listField("ids", [1n, 2n], idField, { max: 1 })).toThrow("ids: must have at most 1 items, got 2");
  expect(() => listField("ids", [1n, 2n, 1n], idField, { unique: true })).toThrow("ids[2]: 1 is listed twice");
  // the checked values are compared, not the given ones
  expect(() => listField("names", ["a", " a"], textField, { unique: true })).toThrow('names[1]: "a" is listed twice');
});

test("referencesField returns each id with its path, and refuses repeated ids", () => {
  const references = [{ setId: 3n, isOn: true }, { setId: 5n, isOn: false }];
  expect(referencesField("sets", references, "setId", { max: 2 })).toEqual([
    { field: "sets[0].setId", setId: 3n },
    { field: "sets[1].setId", setId: 5n },
  ]);
  const check = (ids: bigint[]) => () => referencesField("sets", ids.map((setId) => ({ setId })), "setId", { max: 2 });
  expect(check([3n, 3n])).toThrow("sets[1].setId: 3 is listed twice");
  expect(check([-1n])).toThrow("sets[0].setId: must be a positive id, got -1");
  expect(check([1n, 2n, 3n])).toThrow("sets: must have at most 2 items, got 3");
});
