import { expect, test } from "vitest";
import { merged } from "../../../plugins/console/app/parts/merge/merge.ts";

const base = { name: "Europe", email: "ops@example.net", isOn: "true" };

test("changes of different fields are both kept", () => {
  const { draft, conflicts } = merged(base, { ...base, name: "EU" }, { ...base, email: "dns@example.net" });
  expect(draft).toEqual({ name: "EU", email: "dns@example.net", isOn: "true" });
  expect(conflicts).toEqual([]);
});

test("two values of one field are a conflict, in which the reader's value stays", () => {
  const { draft, conflicts } = merged(base, { ...base, name: "EU" }, { ...base, name: "Europa" });
  expect([draft["name"], conflicts]).toEqual(["EU", ["name"]]);
});

test("the same change by both is none", () => {
  expect(merged(base, { ...base, isOn: "" }, { name: "Europe", email: "ops@example.net" }).conflicts).toEqual([]);
});
