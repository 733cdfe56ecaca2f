import { readFileSync } from "node:fs";
import type { DescMethod } from "@bufbuild/protobuf";
import { testKernel } from "edgehelm/testing";
import { beforeAll, expect, test } from "vitest";
import { rolesOf } from "../../core/calls/operation.ts";
import { firstParty } from "../matrix/plugins.ts";
import { generatedServices, root } from "./generated.ts";

/** An operation of the specification. Values that it leaves open are empty. */
interface SpecifiedOperation {
  readonly service: string;
  readonly operation: string;
  readonly roles: readonly string[];
  /** The response: `own`, `count`, `ok`, `exists` or the name of a message. */
  readonly response: string;
}

const specified: readonly SpecifiedOperation[] = JSON.parse(
  readFileSync(`${root}test/rules/specification.json`, "utf8"),
);
/** The names of requests that differ from the capitalised operation name with the suffix `Request`. */
const OTHER_REQUESTS: Readonly<Record<string, string>> = {
  countLogs: "CountLogRequest",
  sendCommandToNSNode: "NSNodeStreamMessage",
  updateReportNodeGlobalSetting: "UpdateReportNodeGlobalSetting",
};
const SHARED_RESPONSES: Readonly<Record<string, string>> = {
  count: "RPCCountResponse",
  ok: "RPCSuccess",
  exists: "RPCExists",
};

const methods = new Map<string, DescMethod>();
beforeAll(async () => {
  for (const service of await generatedServices()) {
    for (const method of service.methods) methods.set(`${service.name}.${uncapitalise(method.name)}`, method);
  }
});

test("the specification has 145 operations in 22 services", () => {
  expect(specified.length).toBe(145);
  expect(new Set(specified.map(({ service }) => service)).size).toBe(22);
});

test.each(specified)("$service $operation is as specified", ({ service, operation, roles, response }) => {
  const method = methods.get(`${service}.${operation}`);
  expect(method).toBeDefined();
  const { name, input, output } = method!;
  if (roles.length > 0) expect(rolesOf(method!).sort()).toEqual(roles);
  expect(input.name).toBe(OTHER_REQUESTS[operation] ?? `${capitalise(name)}Request`);
  if (response === "own") expect(output.name).toBe(`${capitalise(name)}Response`);
  else if (response !== "") expect(output.name).toBe(SHARED_RESPONSES[response] ?? response);
});

test("the default installation serves every operation of the contract", async () => {
  const manifest: { plugins: { use: string }[] } = JSON.parse(readFileSync(`${root}plugins/manifest.json`, "utf8"));
  const used = manifest.plugins.map(({ use }) => use);
  expect(used.toSorted()).toEqual(firstParty.map(({ manifest: { name } }) => name).toSorted());
  await using edgehelm = await testKernel({
    plugins: firstParty.filter(({ manifest: { name } }) => used.includes(name)),
  });
  const served = new Set(
    edgehelm.kernel.operations.all.map(({ method: { parent, name } }) => `${parent.name}.${uncapitalise(name)}`),
  );
  expect([...methods.keys()].filter((operation) => !served.has(operation))).toEqual([]);
  expect(specified.filter(({ service, operation }) => !served.has(`${service}.${operation}`))).toEqual([]);
});

function capitalise(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function uncapitalise(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
