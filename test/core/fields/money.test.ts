import { amountField, amountNumber, amountText, rateField, rateNumber } from "edgehelm/fields";
import { describe, expect, test } from "vitest";

const invalid = (text: string) => expect.objectContaining({ kind: "invalid", message: expect.stringContaining(text) });

describe("an amount", () => {
  test.each([[0, 0n], [-0, 0n], [0.01, 1n], [9.99, 999n], [12, 1200n], [1.1, 110n], [
    9_999_999_999_999.99,
    10n ** 15n - 1n,
  ]])(
    "of %d is exactly %d hundredths, and converts back",
    (value, amount) => {
      expect(amountField("price", value)).toBe(amount);
      expect(amountNumber(amount)).toBe(value + 0);
    },
  );

  test.each([
    [0.001, "price: must have at most 2 decimals, got 0.001"],
    [0.1 + 0.2, "at most 2 decimals"],
    [1e-9, "at most 2 decimals"],
    [1e13, "price: must be below 10000000000000, got 10000000000000"],
    [1e300, "decimals"],
    [NaN, "price: must be a number, got NaN"],
    [Infinity, "must be a number"],
    [-1, "price: must not be negative, got -1"],
  ])("of %d is refused", (value, text) => {
    expect(() => amountField("price", value)).toThrow(invalid(text));
  });

  test("may be negative if signed", () => {
    expect(amountField("delta", -0.5, { signed: true })).toBe(-50n);
    expect(amountText(-50n)).toBe("-0.50");
    expect(amountText(123_456n)).toBe("1234.56");
  });
});

describe("a float field", () => {
  test("stands for the decimal that the client wrote, whether it arrives as a float or as a double", () => {
    for (let cents = 1; cents < 131_072_00; cents += 997) {
      expect(amountField("price", Math.fround(cents / 100), { float: true })).toBe(BigInt(cents));
      expect(amountField("price", cents / 100, { float: true })).toBe(BigInt(cents));
    }
  });

  test("is refused where a float cannot represent hundredths", () => {
    expect(() => amountField("price", Math.fround(200_000.01), { float: true })).toThrow(invalid("must be whole"));
    expect(amountField("price", 200_000, { float: true })).toBe(200_000_00n);
    expect(() => amountField("price", Math.fround(0.123), { float: true })).toThrow(invalid("got 0.123"));
  });
});

test("a rate has six decimals", () => {
  expect(rateField("base", 0.000001)).toBe(1n);
  expect(rateField("base", 0.08)).toBe(80_000n);
  expect(rateNumber(80_000n)).toBe(0.08);
  expect(() => rateField("base", 1e-7)).toThrow(invalid("at most 6 decimals"));
});
