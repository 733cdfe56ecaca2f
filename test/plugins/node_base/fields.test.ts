import { NodeStatusSchema } from "edgehelm/proto/shapes/node_status_pb.js";
import { expect, test } from "vitest";
import { apiAddressesJSON, nodeLoginField, nodeReportField } from "../../../plugins/node_base/contract.ts";

const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

test("a report is stored unchanged, except for the time and additional members", () => {
  const report = nodeReportField("statusJSON", json({ cpuUsage: 0.5, updatedAt: 1, x: [1] }), NodeStatusSchema, 77n);
  expect(report.status.cpuUsage).toBe(0.5);
  expect(report.status.isActive).toBeUndefined();
  expect(JSON.parse(new TextDecoder().decode(report.kept({ ip: "::1" })))).toEqual({
    cpuUsage: 0.5,
    updatedAt: 77,
    x: [1],
    ip: "::1",
  });
  const parse = (bytes: Uint8Array) => () => nodeReportField("statusJSON", bytes, NodeStatusSchema, 77n);
  expect(parse(new Uint8Array())).toThrow("statusJSON: must not be empty");
  expect(parse(json({ cpuUsage: "hot" }))).toThrow(/^statusJSON/);
  expect(parse(json({ x: "x".repeat(70_000) }))).toThrow("statusJSON: must have at most 65536 bytes");
});

test("a login may be incomplete, but not invalid", () => {
  const login = (params: unknown, type = "ssh") =>
    nodeLoginField("nodeLogin", { name: " door ", type, params: json(params) });
  expect(login({})).toEqual({ name: "door", type: "ssh", host: "", port: 0, grantId: 0n });
  expect(login({ host: "node.example", port: 22, grantId: 3 }, "")).toMatchObject({ type: "ssh", port: 22 });
  expect(() => login({ host: "no host" })).toThrow("nodeLogin.params.host: must be a host name or an IP address");
  expect(() => login({ port: 70_000 })).toThrow("nodeLogin.params.port: must be 0 or 1 to 65535");
  expect(() => login({ grantId: -1 })).toThrow("nodeLogin.params.grantId: must not be negative");
  expect(() => login({}, "telnet")).toThrow('nodeLogin.type: must be one of ssh, got "telnet"');
});

test("addresses of API nodes must be complete", () => {
  const addresses = (...list: unknown[]) => apiAddressesJSON("addrs", json(list));
  expect(apiAddressesJSON("addrs", new Uint8Array())).toBe(false);
  expect(addresses()).toBe(false);
  expect(addresses({ protocol: "https", host: "api.example", portRange: "8001" })).toBe(true);
  expect(() => addresses({ protocol: "ftp", host: "a", portRange: "1" })).toThrow("addrs[0].protocol: must be one of");
  expect(() => addresses({ protocol: "http", host: "", portRange: "1" })).toThrow("addrs[0].host");
  expect(() => addresses({ protocol: "http", host: "a", portRange: "0" })).toThrow("addrs[0].portRange");
});
