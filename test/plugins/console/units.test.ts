import { beforeAll, expect, test, vi } from "vitest";

// the texts read the language of a browser when they are loaded
beforeAll(() => {
  vi.stubGlobal("localStorage", { getItem: () => null });
});

test("amounts have the largest unit that fits", async () => {
  const { bitRate, shortCount } = await import("../../../plugins/console/app/parts/units.ts");
  expect([5, 12_000_000].map(bitRate)).toEqual(["5 bit/s", "12 Mb/s"]);
  expect([999, 1_234_567].map(shortCount)).toEqual(["999", "1.2M"]);
});

test("bytes are counted as bills count them, in texts and on charts", async () => {
  const { bytesText, byteUnit } = await import("../../../plugins/console/app/texts/amounts.ts");
  const sizes = [0, 1023, 1024, 1.25 * 1024 ** 2, 100 * 1024 ** 3, 3 * 1024 ** 5, 5000 * 1024 ** 6];
  expect(sizes.map(bytesText)).toEqual(["0 B", "1,023 B", "1 KB", "1.25 MB", "100 GB", "3 PB", "5,000 EB"]);
  expect(sizes.map(byteUnit)).toEqual([1, 1, 1024, 1024 ** 2, 1024 ** 3, 1024 ** 5, 1024 ** 6]);
});

test.each([
  ["maxBytes", 1536, "1.5 KB"],
  ["bytes", 10, "10 B"],
  ["timeoutSeconds", 90, "90 seconds"],
  ["pollMilliseconds", 1, "1 millisecond"],
  ["memoryPercent", 12.5, "12.5 %"],
  ["createdAt", 0, "0"],
  ["port", 8080, "8080"],
])("the number in %s is written as people read it", async (name, value, expected) => {
  const { numberText } = await import("../../../plugins/console/app/parts/json/number_text.ts");
  expect(numberText(name, value)).toBe(expected);
});

test.each([
  [{ count: 5, unit: "minute" }, "5 minutes"],
  [{ count: 200, unit: "ms" }, "200 milliseconds"],
  [{ count: 64, unit: "mb" }, "64 MB"],
  [{ count: 1, unit: "constructor" }, "1 CONSTRUCTOR"],
])("%j is an amount", async (amount, expected) => {
  const { amountText, isAmount } = await import("../../../plugins/console/app/parts/json/number_text.ts");
  expect(isAmount(amount) && amountText(amount)).toBe(expected);
});
