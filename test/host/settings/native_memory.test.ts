import { existsSync } from "node:fs";
import process from "node:process";
import { expect, test } from "vitest";
import { returnNativeMemory } from "../../../core/host/settings/native_memory.ts";

const ALL = ["MALLOC_ARENA_MAX", "MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_"];
const isGlibc = process.platform === "linux" && existsSync("/lib64/ld-linux-x86-64.so.2");

test.runIf(isGlibc && "Deno" in globalThis)("glibc keeps two arenas, unless the environment says otherwise", () => {
  expect(returnNativeMemory({})).toEqual(ALL);
  expect(returnNativeMemory({ MALLOC_ARENA_MAX: "4" })).toEqual(ALL.slice(1));
});

test.runIf(!("Deno" in globalThis))("a runtime that cannot call the system changes nothing", () => {
  expect(returnNativeMemory({})).toEqual([]);
});
