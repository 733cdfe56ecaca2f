import { expect, test } from "vitest";
import { machineOutbound } from "../../../core/host/outbound/outbound.ts";
import { peer } from "./peers.ts";

const guarded = machineOutbound();

test.each([
  ["127.0.0.1", "a loopback address"],
  ["127.1.2.3", "a loopback address"],
  ["0x7f.1", "a loopback address"],
  ["2130706433", "a loopback address"],
  ["localhost", "a loopback address"],
  ["[::1]", "a loopback address"],
  ["[::ffff:127.0.0.1]", "a loopback address"],
  ["[::ffff:169.254.169.254]", "a link-local address"],
  ["[64:ff9b::10.0.0.1]", "a private address"],
  ["[64:ff9b:1::1]", "a private address"],
  ["[2002:a00:1::]", "a private address"],
  ["10.0.0.1", "a private address"],
  ["172.16.0.1", "a private address"],
  ["192.168.1.1", "a private address"],
  ["[fd00:ec2::254]", "a private address"],
  ["100.64.0.1", "a shared address"],
  ["100.100.100.200", "a shared address"],
  ["169.254.169.254", "a link-local address"],
  ["[fe80::1]", "a link-local address"],
  ["168.63.129.16", "the metadata service of a cloud"],
  ["224.0.0.1", "a multicast address"],
  ["[ff02::1]", "a multicast address"],
  ["0.0.0.0", "an unspecified address"],
  ["[::]", "an unspecified address"],
  ["255.255.255.255", "a reserved address"],
])("%s is refused: %s", async (host, kind) => {
  await expect(guarded.fetch(`http://${host}:9/`)).rejects.toMatchObject({ kind: "invalid" });
  await expect(guarded.fetch(`http://${host}:9/`)).rejects.toThrow(
    `has ${kind}, which outbound.allow does not contain`,
  );
});

test.each([
  "127.0.0.1",
  "::ffff:127.0.0.1",
  "169.254.169.254",
  "fd00:ec2::254",
  "64:ff9b::169.254.169.254",
  "fe80::1%eth0",
  "not an address",
])("a name that resolves to %s is refused, also beside a public address", async (address) => {
  for (const addresses of [[address], ["192.0.2.1", address]]) {
    const outbound = machineOutbound({}, () => Promise.resolve(addresses));
    const attempt = outbound.fetch("http://pay.example.com:9/");
    await expect(attempt).rejects.toMatchObject({
      kind: "invalid",
      message: expect.stringMatching(/^url: "pay.example.com" has /),
    });
  }
});

test("the error of a name does not contain its address, which the caller may not know", async () => {
  const outbound = machineOutbound({}, () => Promise.resolve(["10.11.12.13"]));
  await expect(outbound.fetch("http://pay.example.com/")).rejects.not.toThrow("10.11.12.13");
});

test("allowed ranges open their addresses, in the form of IPv4 in IPv6 too, and no others", async () => {
  await using server = await peer();
  const addresses = ["127.0.0.1"];
  const outbound = machineOutbound({ allow: ["127.0.0.0/8"] }, () => Promise.resolve(addresses));
  const url = `http://pay.example.com:${server.port}/`;
  expect((await outbound.fetch(url)).status).toBe(200);
  expect((await outbound.fetch(`http://[::ffff:127.0.0.1]:${server.port}/`)).status).toBe(200);
  addresses[0] = "10.0.0.1";
  await expect(outbound.fetch(url)).rejects.toThrow("a private address");
  await expect(outbound.fetch("http://[::1]:9/")).rejects.toThrow("a loopback address");
});

test("a name that changes its address between check and connection is reached where it was checked", async () => {
  await using allowed = await peer((_request, response) => response.end("allowed"));
  await using internal = await peer((_request, response) => response.end("internal"), { address: "127.0.0.2" });
  let lookups = 0;
  const outbound = machineOutbound({ allow: ["127.0.0.1"] }, () => {
    return Promise.resolve([lookups++ === 0 ? "127.0.0.1" : "127.0.0.2"]);
  });
  const url = `http://rebind.example.com:${allowed.port}/`;
  const first = await outbound.fetch(url);
  expect(await first.text()).toBe("allowed");
  expect(lookups).toBe(1);
  expect(allowed.received).toMatchObject([{ headers: { host: `rebind.example.com:${allowed.port}` } }]);
  await expect(outbound.fetch(`http://rebind.example.com:${internal.port}/`)).rejects.toThrow("a loopback address");
  expect(lookups).toBe(2);
  expect(internal.received).toEqual([]);
});

test("a list of hosts restricts a machine too, and does not open internal addresses", async () => {
  await using server = await peer();
  const hosts = ["Pay.Example.com", "*.hooks.example.com", "127.0.0.1"];
  const outbound = machineOutbound({ hosts, allow: ["127.0.0.1"] }, () => Promise.resolve(["127.0.0.1"]));
  const fetchFrom = async (host: string) => (await outbound.fetch(`http://${host}:${server.port}/`)).status;
  for (const host of ["pay.example.com", "PAY.example.com.", "a.b.hooks.example.com", "127.0.0.1"]) {
    expect(await fetchFrom(host), host).toBe(200);
  }
  for (const host of ["hooks.example.com", "evil-pay.example.com", "pay.example.com.evil.org", "127.0.0.2"]) {
    await expect(fetchFrom(host), host).rejects.toThrow("is not in outbound.hosts");
  }
  await expect(machineOutbound({ hosts }).fetch("http://127.0.0.1:9/")).rejects.toThrow("a loopback address");
});

test.each([
  [{ allow: ["10.0.0.1/8"] }, "outbound.allow[0]: must be a range of addresses such as 10.0.0.0/8"],
  [{ hosts: ["a.example.com", "https://b.example.com"] }, "outbound.hosts[1]: must be a host such as pay.example.com"],
  [{ hosts: ["*"] }, "outbound.hosts[0]"],
])("the setting %j is refused", (settings, message) => {
  expect(() => machineOutbound(settings)).toThrow(message);
});
