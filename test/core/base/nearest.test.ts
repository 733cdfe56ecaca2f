import { expect, test } from "vitest";
import { nearest } from "../../../core/base/nearest.ts";

const names = ["createNSDomain", "deleteNSDomain", "name", "port"];

test.each([
  ["createNsDomain", "createNSDomain"],
  ["createNSDomian", "createNSDomain"],
  ["NAME", "name"],
  ["nmae", "name"],
  ["prt", "port"],
  ["listUsers", undefined],
  ["x", undefined],
  ["", undefined],
  ["name".repeat(1000), undefined],
])("the name nearest to %j is %j", (name, expected) => {
  expect(nearest(name, names)).toBe(expected);
});
