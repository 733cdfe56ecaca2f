import { TrafficPackagePriceSchema } from "../../../../plugins/traffic_package_price/proto/service_traffic_package_price_pb.ts";
import { TrafficPackageSchema } from "../../../../plugins/traffic_package/proto/service_traffic_package_pb.ts";
import { rowMessage } from "edgehelm/rows";
import { expect, test } from "vitest";

const row = { id: 5n, size: 10n, unit: "gb", bytes: 10n << 30n, isOn: 1n, secret: "s" };

test("flags become booleans and int32 numbers; other values stay as they are", () => {
  const message = rowMessage(TrafficPackageSchema, ["id", "size", "unit", "bytes", "isOn"]);
  expect(message(row)).toEqual({ id: 5n, size: 10, unit: "gb", bytes: 10n << 30n, isOn: true });
  expect(message({ ...row, isOn: 0n }).isOn).toBe(false);
});

test("only the named fields leave the row, and null ones are left out", () => {
  const message = rowMessage(TrafficPackageSchema, ["id", "unit"]);
  expect(message(row)).toEqual({ id: 5n, unit: "gb" });
  expect(message({ id: 5n, unit: null })).toEqual({ id: 5n });
});

test("computed fields are added", () => {
  const message = rowMessage(TrafficPackageSchema, ["id"], ({ unit }: typeof row) => ({ unit: unit.toUpperCase() }));
  expect(message(row)).toEqual({ id: 5n, unit: "GB" });
});

test("a fraction is not taken from an integer column, which has a unit of its own", () => {
  const message = rowMessage(TrafficPackagePriceSchema, ["price"]);
  expect(message({ price: 9.5 })).toEqual({ price: 9.5 });
  expect(() => message({ price: 950n })).toThrow("is a fraction, but its column is an integer: compute the field");
});
