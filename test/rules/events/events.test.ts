import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { eventKindErrors } from "../../../core/events/event_kind.ts";
import { KERNEL_ALARMS } from "../../../core/kernel/alarms/kernel_alarms.ts";
import { root } from "../generated.ts";
import { GUIDE, unformatted, withKinds } from "./kinds.ts";

test("the guide lists the kinds of events that the code declares", async () => {
  const guide = readFileSync(root + GUIDE, "utf8");
  expect(unformatted(guide)).toBe(unformatted(await withKinds(guide)));
});

test("the kinds of the kernel follow the rules for those of plugins", () => {
  expect(eventKindErrors("kernel", KERNEL_ALARMS.flatMap(({ began, ended }) => [began, ended]))).toEqual([]);
  const names = KERNEL_ALARMS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
