import { expect, test } from "vitest";
import { formatNumber, mean, median, quantile } from "./statistics.ts";

test("the median of an even count is half-way between the middle two", () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 3, 2])).toBe(2.5);
});

test("a quantile is one of the figures", () => {
  const figures = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(quantile(figures, 0.99)).toBe(100);
  expect(quantile(figures, 0.5)).toBe(51);
  expect(quantile([7], 0.99)).toBe(7);
});

test("numbers have three significant digits below a thousand", () => {
  expect([0.12345, 12.345, 123.45, 1234.5, 123_456, 0].map(formatNumber)).toEqual([
    "0.123",
    "12.3",
    "123",
    "1,235",
    "123,456",
    "0",
  ]);
  expect(mean([1, 2, 6])).toBe(3);
});
