import type { MessageInitShape } from "@bufbuild/protobuf";
import { TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { APIAccessTokenService } from "../../../plugins/api_access_token/proto/service_api_access_token_pb.ts";
import { HelloWorldService } from "../../../plugins/hello_world/proto/service_hello_world_pb.ts";
import {
  UserAccessKeyRestrictionSchema,
  UserAccessKeyService,
} from "../../../plugins/user_access_key/proto/service_user_access_key_pb.ts";
import { callOver, WIRES } from "../../harness/wire.ts";
import { ada, plugins, users } from "./rig.ts";

type Restriction = MessageInitShape<typeof UserAccessKeyRestrictionSchema>;

const { createUserAccessKey, findAllEnabledUserAccessKeys, updateUserAccessKeyIsOn, countAllEnabledUserAccessKeys } =
  UserAccessKeyService.method;
const { getAPIAccessToken } = APIAccessTokenService.method;
const { sayHello } = HelloWorldService.method;
const HOME = "192.0.2.7";

const clock = new TestClock();
let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins, stubs: [users], clock, http: { behindProxy: true } });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

/** Returns the clients of the wires; those over fetch come from an address. */
function from(address: string) {
  const fetch = (request: Request) => {
    const headers = new Headers(request.headers);
    headers.set("x-forwarded-for", address);
    return edgehelm.fetch(new Request(request, { headers }));
  };
  return { fetch, grpc: edgehelm.grpc };
}

async function keyWith(restriction?: Restriction) {
  const { userAccessKeyId, uniqueId, secret } = await edgehelm.call(ada, createUserAccessKey, {
    ...(restriction && { restriction }),
  });
  const credential = { type: "user", accessKeyId: uniqueId, accessKey: secret };
  const exchange = (address = HOME) => callOver("http", from(address), undefined, getAPIAccessToken, credential);
  return { userAccessKeyId, exchange };
}

async function tokenWith(restriction: Restriction): Promise<string> {
  return (await (await keyWith(restriction)).exchange()).token;
}

const seconds = () => BigInt(Math.floor(clock.now() / 1000));

describe.each(WIRES)("a restricted key over %s", (wire) => {
  test("may call the listed services and operations only", async () => {
    const token = await tokenWith({
      operations: ["HelloWorldService", "UserAccessKeyService/countAllEnabledUserAccessKeys"],
    });
    await callOver(wire, from(HOME), token, sayHello, {});
    await callOver(wire, from(HOME), token, countAllEnabledUserAccessKeys, {});
    await expect(callOver(wire, from(HOME), token, findAllEnabledUserAccessKeys, {})).rejects.toMatchObject({
      code: 403,
      reason: "access_key.operation_forbidden",
      message: "permission denied: the access key may call HelloWorldService, " +
        "UserAccessKeyService/countAllEnabledUserAccessKeys only, not /UserAccessKeyService/findAllEnabledUserAccessKeys",
    });
  });

  test("that is read only may call operations that change nothing", async () => {
    const { userAccessKeyId } = await keyWith();
    const token = await tokenWith({ isReadOnly: true });
    await callOver(wire, from(HOME), token, countAllEnabledUserAccessKeys, {});
    const readOnly = { code: 403, reason: "access_key.read_only" };
    await expect(callOver(wire, from(HOME), token, createUserAccessKey, {})).rejects.toMatchObject(readOnly);
    await expect(callOver(wire, from(HOME), token, updateUserAccessKeyIsOn, { userAccessKeyId }))
      .rejects.toMatchObject(readOnly);
  });

  test("may be used from its addresses only", async () => {
    const token = await tokenWith({ addresses: ["192.0.2.0/24", "2001:db8::/32"] });
    const forbidden = { code: 403, reason: "access_key.address_forbidden" };
    const look = (address: string) => callOver(wire, from(address), token, sayHello, {});
    // The peer of gRPC in process has no address.
    if (wire === "grpc") return await expect(look(HOME)).rejects.toMatchObject(forbidden);
    for (const address of [HOME, "::ffff:192.0.2.9", "2001:db8:9::1"]) await look(address);
    for (const address of ["192.0.3.1", "2001:db9::1", "unknown"]) {
      await expect(look(address)).rejects.toMatchObject(forbidden);
    }
  });
});

describe("a restricted key", () => {
  test("is exchanged from its addresses only", async () => {
    const { exchange } = await keyWith({ addresses: [HOME] });
    await exchange();
    await expect(exchange("192.0.2.8")).rejects.toMatchObject({
      code: 403,
      message: `permission denied: the access key may be used from ${HOME}/32 only, not from 192.0.2.8`,
    });
  });

  test("expires with its tokens", async () => {
    const expiresAt = seconds() + 600n;
    const { exchange } = await keyWith({ expiresAt });
    const issued = await exchange();
    expect(issued.expiresAt).toBe(expiresAt);
    clock.advance(599);
    await callOver("http", from(HOME), issued.token, sayHello, {});
    clock.advance(1);
    await expect(callOver("http", from(HOME), issued.token, sayHello, {})).rejects.toMatchObject({ code: 401 });
    await expect(exchange()).rejects.toMatchObject({ code: 401, reason: "access_key.expired" });
  });

  test("restricts tokens that were issued before it was restricted, and can be unrestricted again", async () => {
    const { userAccessKeyId, exchange } = await keyWith();
    const { token } = await exchange();
    const look = () => callOver("http", from(HOME), token, sayHello, {});
    await look();
    const update = (restriction: Restriction) =>
      edgehelm.call(ada, updateUserAccessKeyIsOn, { userAccessKeyId, isOn: true, restriction });
    await update({ operations: ["UserAccessKeyService"] });
    await expect(look()).rejects.toMatchObject({ reason: "access_key.operation_forbidden" });
    await edgehelm.call(ada, updateUserAccessKeyIsOn, { userAccessKeyId, isOn: true });
    await expect(look()).rejects.toMatchObject({ reason: "access_key.operation_forbidden" });
    await update({ expiresAt: seconds() + 5n });
    await look();
    clock.advance(5);
    await expect(look()).rejects.toMatchObject({ code: 401, reason: "access_key.expired" });
    await update({});
    await look();
  });

  test("can neither make a key nor change a restriction", async () => {
    const { userAccessKeyId } = await keyWith();
    const token = await tokenWith({ operations: ["UserAccessKeyService"] });
    const restricted = { code: 403, reason: "user_access_key.restricted" };
    const update = (request: MessageInitShape<typeof updateUserAccessKeyIsOn.input>) =>
      callOver("http", from(HOME), token, updateUserAccessKeyIsOn, { userAccessKeyId, isOn: true, ...request });
    await expect(callOver("http", from(HOME), token, createUserAccessKey, {})).rejects.toMatchObject(restricted);
    await expect(update({ restriction: {} })).rejects.toMatchObject(restricted);
    await update({});
    const found = await callOver("http", from(HOME), token, findAllEnabledUserAccessKeys, {});
    expect(found.userAccessKeys.filter(({ secret }) => secret !== "")).toEqual([]);
  });

  test("is listed with its restriction, which clients that do not know it never see on other keys", async () => {
    const restriction = {
      expiresAt: seconds() + 60n,
      addresses: ["192.0.2.0/24", "2001:DB8::1"],
      operations: ["NSDomainService", "NSRecordService/findNSRecord"],
      isReadOnly: true,
    };
    const { userAccessKeyId } = await keyWith(restriction);
    const free = await keyWith({});
    const { userAccessKeys } = await edgehelm.call(ada, findAllEnabledUserAccessKeys, {});
    expect(userAccessKeys.find(({ id }) => id === userAccessKeyId)?.restriction)
      .toMatchObject({ ...restriction, addresses: ["192.0.2.0/24", "2001:db8::1/128"] });
    const { data } = await edgehelm.post("/UserAccessKeyService/findAllEnabledUserAccessKeys", {}, ada) as unknown as {
      data: { userAccessKeys: { id: number }[] };
    };
    const plain = data.userAccessKeys.find(({ id }) => id === Number(free.userAccessKeyId));
    expect(plain).toBeDefined();
    expect(plain).not.toHaveProperty("restriction");
  });

  test.each<[string, Restriction, string]>([
    ["a past expiry", { expiresAt: 1n }, "restriction.expiresAt: must be 0 or a future time in unix seconds, got 1"],
    ["an address", { addresses: ["192.0.2.256"] }, "restriction.addresses[0]: must be a range of addresses"],
    ["a length", { addresses: ["192.0.2.0/33"] }, 'got "192.0.2.0/33"'],
    ["an IPv6 length", { addresses: ["2001:db8::/129"] }, 'got "2001:db8::/129"'],
    ["host bits", { addresses: ["192.0.2.1/24"] }, 'got "192.0.2.1/24"'],
    ["a range twice", { addresses: [HOME, `${HOME}/32`] }, "is listed twice"],
    ["an operation", { operations: ["findNSDomain"] }, "restriction.operations[0]: must be a service such as"],
    ["too many operations", { operations: Array.from({ length: 101 }, (_, at) => `S${at}`) }, "at most 100"],
  ])("is refused with %s that is not valid", async (_case, restriction, message) => {
    await expect(edgehelm.call(ada, createUserAccessKey, { restriction }))
      .rejects.toMatchObject({ code: 400, message: expect.stringContaining(message) });
  });
});
