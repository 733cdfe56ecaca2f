import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import plugin from "../../../plugins/origin/plugin.ts";
import { OriginService } from "../../../plugins/origin/proto/service_origin_pb.ts";

const rpc = OriginService.method;
const ada = as.user(7n);

let edgehelm: TestKernel;
let lenient: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin] });
  lenient = await testKernel({
    plugins: [plugin],
    config: { origin: { allowedRanges: ["10.20.0.0/16", "fd00:1::/32", "127.0.0.1"] } },
  });
});
afterAll(async () => {
  await edgehelm[Symbol.asyncDispose]();
  await lenient[Symbol.asyncDispose]();
});

function create(kernel: TestKernel, caller: typeof ada, host: string, protocol = "http") {
  return kernel.call(caller, rpc.createOrigin, { addr: { protocol, host, portRange: "80" } });
}

function createStorage(caller: typeof ada, options: object) {
  const ossJSON = new TextEncoder().encode(JSON.stringify({ type: "s3", options }));
  return edgehelm.call(caller, rpc.createOrigin, { ossJSON });
}

const INTERNAL = [
  ["127.0.0.1", "a loopback address"],
  ["127.255.0.9", "a loopback address"],
  ["::1", "a loopback address"],
  ["[::1]", "a loopback address"],
  ["0:0:0:0:0:0:0:1", "a loopback address"],
  ["0.0.0.0", "an unspecified address"],
  ["::", "an unspecified address"],
  ["10.0.0.1", "a private address"],
  ["172.16.0.1", "a private address"],
  ["172.31.255.255", "a private address"],
  ["192.168.1.1", "a private address"],
  ["fd12:3456::1", "a private address"],
  ["64:ff9b:1::1", "a private address"],
  ["100.100.100.200", "a shared address"],
  ["169.254.169.254", "a link-local address"],
  ["fe80::1", "a link-local address"],
  ["fd00:ec2::254", "a private address"],
  ["168.63.129.16", "the metadata service of a cloud"],
  ["224.0.0.1", "a multicast address"],
  ["ff02::1", "a multicast address"],
  ["255.255.255.255", "a reserved address"],
  ["::ffff:127.0.0.1", "a loopback address"],
  ["::ffff:7f00:1", "a loopback address"],
  ["::FFFF:0a00:0001", "a private address"],
  ["::ffff:0:169.254.169.254", "a link-local address"],
  ["::127.0.0.1", "a loopback address"],
  ["64:ff9b::a9fe:a9fe", "a link-local address"],
  ["64:ff9b::10.0.0.1", "a private address"],
  ["2002:7f00:1::", "a loopback address"],
  ["2130706433", "an unusual spelling of 127.0.0.1"],
  ["0x7f000001", "an unusual spelling of 127.0.0.1"],
  ["0x7f.1", "an unusual spelling of 127.0.0.1"],
  ["017700000001", "an unusual spelling of 127.0.0.1"],
  ["127.1", "an unusual spelling of 127.0.0.1"],
  ["0177.0.0.1", "an unusual spelling of 127.0.0.1"],
  ["127.0.0.1.", "a loopback address"],
  ["１２７.0.0.1", "an unusual spelling of 127.0.0.1"],
  ["0300.0250.1.1", "an unusual spelling of 192.168.1.1"],
  ["8.8.2056", "an unusual spelling of 8.8.8.8"],
  ["localhost", "a name that only the node itself"],
  ["LocalHost.", "a name that only the node itself"],
  ["a.localhost", "a name that only the node itself"],
  ["localhost.localdomain", "a name that only the node itself"],
  ["metadata.google.internal", "a name that only the node itself"],
  ["printer.local", "a name that only the node itself"],
  ["database", "a name that only the node itself"],
  ["127.0.0.1:80", "is not a host name or an IP address"],
  ["fe80::1%eth0", "is not a host name or an IP address"],
  ["${header.host}", "is not a host name or an IP address"],
] as const;

describe("finding 10: origins of users are on the public internet", () => {
  test.each(INTERNAL)("a user is refused %s: %s", async (host, text) => {
    await expect(create(edgehelm, ada, host)).rejects.toMatchObject({
      code: 400,
      message: expect.stringMatching(/^addr\.host: /),
    });
    await expect(create(edgehelm, ada, host)).rejects.toThrow(text);
  });

  test.each(["tcp", "tls", "udp", "https"])("a user is refused an internal address over %s", async (protocol) => {
    await expect(create(edgehelm, ada, "169.254.169.254", protocol)).rejects.toMatchObject({ code: 400 });
  });

  test.each(["unix:/var/run/docker.sock", "/var/run/docker.sock"])("a user is refused the socket %s", async (path) => {
    await expect(create(edgehelm, ada, path, "unix")).rejects.toThrow("addr.protocol");
    await expect(create(edgehelm, ada, path)).rejects.toMatchObject({ code: 400 });
  });

  test.each([
    "origin.example.com",
    "bücher.example",
    "_a.example.com",
    "192.0.2.1",
    "[2001:db8::1]",
    "64:ff9b::808:808",
  ])(
    "a user may use %s",
    async (host) => void await create(edgehelm, ada, host),
  );

  test("an admin may use all of them", async () => {
    for (const host of ["10.0.0.1", "localhost", "169.254.169.254", "fe80::1"]) {
      await create(edgehelm, as.admin(), host);
    }
    await create(edgehelm, as.admin(), "/run/app.sock", "unix");
  });

  test("a change is checked, and what is unchanged may stay", async () => {
    const { originId } = await create(edgehelm, ada, "origin.example.com");
    const addr = { protocol: "http", host: "10.0.0.1", portRange: "80" };
    await expect(edgehelm.call(ada, rpc.updateOrigin, { originId, addr })).rejects.toMatchObject({ code: 400 });
    await edgehelm.call(as.admin(), rpc.updateOrigin, { originId, addr });
    await edgehelm.call(ada, rpc.updateOrigin, { originId, name: "renamed", addr: { ...addr, portRange: "8080" } });
    await expect(edgehelm.call(ada, rpc.updateOrigin, { originId, addr: { ...addr, host: "10.0.0.2" } }))
      .rejects.toMatchObject({ code: 400 });
  });

  test.each([
    { endpoint: "http://169.254.169.254/latest" },
    { endpoint: "https://user@127.0.0.1:9000" },
    { endpoint: "[::1]:9000" },
    { endpoint: "::1" },
    { endpoint: "localhost:9000" },
    { nested: { hostName: "10.0.0.1" } },
    { anything: "s3://127.1/bucket" },
  ])("a user is refused object storage at %j", async (options) => {
    await expect(createStorage(ada, options)).rejects.toThrow("ossJSON.options.");
    await createStorage(as.admin(), options);
  });

  test("object storage of users may be anywhere else", async () => {
    await createStorage(ada, { endpoint: "https://s3.eu-central-1.amazonaws.com", bucket: "local", timeout: "10" });
    await createStorage(ada, { endpoint: "" });
  });
});

describe("allowed ranges", () => {
  test("let users in, also through mapped addresses", async () => {
    for (const host of ["10.20.3.4", "::ffff:10.20.3.4", "fd00:1::9", "127.0.0.1"]) await create(lenient, ada, host);
    for (const host of ["10.21.0.1", "fd00:2::9", "127.0.0.2", "2130706433", "localhost"]) {
      await expect(create(lenient, ada, host)).rejects.toMatchObject({ code: 400 });
    }
  });

  test.each(["10.0.0.0/33", "10.0.0.1/8", "10.0.0.0/8/8", "ten", "10.0.0.0/", "fd00::/129"])(
    "%s stops the start",
    async (range) => {
      await expect(testKernel({ plugins: [plugin], config: { origin: { allowedRanges: [range] } } }))
        .rejects.toThrow("allowedRanges[0]");
    },
  );
});
