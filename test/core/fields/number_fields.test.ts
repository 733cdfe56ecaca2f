import { numberField } from "edgehelm";
import { idOrNoneField, ipAddressField, portField } from "edgehelm/fields";
import { describe, expect, test } from "vitest";

describe("ipAddressField", () => {
  test.each([
    ["192.0.2.1", "192.0.2.1"],
    [" 192.0.2.1 ", "192.0.2.1"],
    ["2001:DB8:0:0::1", "2001:db8::1"],
    ["[::1]", "::1"],
    ["::ffff:192.0.2.1", "::ffff:c000:201"],
  ])("returns %j as %j", (value, address) => {
    expect(ipAddressField("ip", value)).toBe(address);
  });

  test.each(["", "300.0.0.1", "1.2.3", "01.2.3.4", "1::2::3", "example.com", "::1/64", "::1]", "fe80::1%eth0"])(
    "refuses %j",
    (value) => {
      expect(() => ipAddressField("ip", value)).toThrow(/^ip: must be an IP address, got/);
    },
  );
});

test("numbers, ports and ids must be within their limits, which the error names", () => {
  expect(numberField("n", 2 ** 31 - 1)).toBe(2147483647);
  expect(() => numberField("n", -1)).toThrow("n: must be 0 to 2147483647, got -1");
  expect(() => numberField("n", 6, { min: 1, max: 5 })).toThrow("n: must be 1 to 5, got 6");
  expect(() => numberField("n", NaN)).toThrow("n: must be");
  expect(portField("port", 65535)).toBe(65535);
  expect(() => portField("port", 0)).toThrow("port: must be 1 to 65535, got 0");
  expect(idOrNoneField("id", 0n)).toBe(0n);
  expect(() => idOrNoneField("id", -1n)).toThrow("id: must not be negative, got -1");
});
