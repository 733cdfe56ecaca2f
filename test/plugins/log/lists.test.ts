import { expect, test } from "vitest";
import { ada, admin, clock, DAY, descriptions, list, START, useKernel, write } from "./rig.ts";

useKernel();

test("lists apply every filter, newest first", async () => {
  await write(admin, "first", { level: "error", action: "/a_b" });
  clock.advance(DAY);
  await write(ada, "second 100%", { ip: "192.0.2.9" });
  await write(admin, "third", { level: "warn" });
  const day = (days: number) => new Date((START + days * DAY) * 1000).toISOString().slice(0, 10);
  expect(await descriptions()).toEqual(["third", "second 100%", "first"]);
  expect(await descriptions({ offset: 1n, size: 1n })).toEqual(["second 100%"]);
  expect(await descriptions({ level: "error" })).toEqual(["first"]);
  expect(await descriptions({ userType: "user" })).toEqual(["second 100%"]);
  expect(await descriptions({ userType: "admin" })).toEqual(["third", "first"]);
  expect(await descriptions({ keyword: "A_B" })).toEqual(["first"]);
  expect(await descriptions({ keyword: "%" })).toEqual(["second 100%"]);
  expect(await descriptions({ keyword: "2.0.2" })).toEqual(["second 100%"]);
  expect(await descriptions({ dayTo: day(0) })).toEqual(["first"]);
  expect(await descriptions({ dayFrom: day(1).replaceAll("-", ""), dayTo: day(1), userType: "admin" })).toEqual([
    "third",
  ]);
});

test.each([
  [{ level: "fatal" }, 'level: must be one of info, warn, error, got "fatal"'],
  [{ userType: "node" }, 'userType: must be one of admin, user, got "node"'],
  [{ dayFrom: "2027" }, 'dayFrom: must be a day such as 2026-01-31, got "2027"'],
  [{ size: -1n }, "size: must not be negative, got -1"],
])("listLogs refuses %o", async (wrong, message) => {
  await expect(list(wrong)).rejects.toMatchObject({ code: 400, message });
});
