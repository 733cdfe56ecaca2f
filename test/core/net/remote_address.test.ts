import { expect, test } from "vitest";
import { ConnectionCounts } from "../../../core/net/connection_counts.ts";
import { addressGroup, forwardedAddress } from "../../../core/net/remote_address.ts";

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:DB8:1:2::9", "2001:db8:1:2::/64"],
  ["2001:0db8:0001:0002::", "2001:db8:1:2::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["unix", "unix"],
])("%s belongs to the group %s", (address, group) => {
  expect(addressGroup(address)).toBe(group);
});

test.each([
  [undefined, undefined],
  ["", undefined],
  ["203.0.113.9", "203.0.113.9"],
  ["evil, 203.0.113.9", "203.0.113.9"],
  ["203.0.113.9:5000", "203.0.113.9"],
  ["[2001:db8::1]:5000", "2001:db8::1"],
  ["2001:db8::1", "2001:db8::1"],
  ["203.0.113.9, ", undefined],
  ["203.0.113.9, <script>", undefined],
  ["x".repeat(100), undefined],
])("X-Forwarded-For %s names %s", (header, address) => {
  expect(forwardedAddress(header)).toBe(address);
});

test("connections are counted in total and per address group until they end", () => {
  const counts = new ConnectionCounts(3, 2);
  expect([counts.enter("2001:db8::1"), counts.enter("2001:db8::2")]).toEqual([undefined, undefined]);
  expect(counts.enter("2001:db8::3")).toBe("address");
  expect(counts.enter("192.0.2.1")).toBeUndefined();
  expect(counts.enter("192.0.2.2")).toBe("all");
  counts.leave("2001:db8::1");
  expect(counts.enter("2001:db8::3")).toBeUndefined();
  expect(counts.open).toBe(3);
});
