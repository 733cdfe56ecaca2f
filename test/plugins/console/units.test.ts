import { beforeAll, expect, test, vi } from "vitest";

// the texts read the language of a browser when they are loaded
beforeAll(() => {
  vi.stubGlobal("localStorage", { getItem: () => null });
});

test("amounts have the largest unit that fits", async () => {
  const { bitRate, bytes, shortCount } = await import("../../../plugins/console/app/parts/units.ts");
  expect([0, 999, 1000, 1_250_000, 3e15, 3e19].map(bytes)).toEqual([
    "0 byte",
    "999 byte",
    "1 kB",
    "1.3 MB",
    "3 PB",
    "30,000 PB",
  ]);
  expect([5, 12_000_000].map(bitRate)).toEqual(["5 bit/s", "12 Mb/s"]);
  expect([999, 1_234_567].map(shortCount)).toEqual(["999", "1.2M"]);
});
