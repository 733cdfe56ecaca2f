import { as, type TestKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ServerService } from "../../../plugins/server/proto/service_server_pb.ts";
import { serverKernel } from "./rig.ts";

const admin = as.admin();
const rpc = ServerService.method;

let edgehelm: TestKernel;
beforeAll(async () => {
  ({ edgehelm } = await serverKernel());
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

function bytes(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}

const POLICY = { isOn: true, listen: [], sslPolicyRef: { isOn: true, sslPolicyId: 777 } };
const AT_POLICY = "httpsJSON.sslPolicyRef.sslPolicyId: must be 0, because no enabled plugin provides it, got 777";

describe("finding 6: a site refers only to what exists", () => {
  test.each([
    [{ webId: 4242n }, "webId: must be 0, because no enabled plugin provides it, got 4242"],
    [{ httpsJSON: bytes(POLICY) }, AT_POLICY],
    [{ httpsJSON: bytes({ ...POLICY, sslPolicyRef: { isOn: false, sslPolicyId: 777 } }) }, AT_POLICY],
  ])("createServer %#", async (request, message) => {
    await expect(edgehelm.call(admin, rpc.createServer, { type: "httpProxy", nodeClusterId: 1n, ...request }))
      .rejects.toMatchObject({ code: 400, message });
  });

  test("updateServerHTTPS", async () => {
    const { serverId } = await edgehelm.call(admin, rpc.createServer, { type: "httpProxy", nodeClusterId: 1n });
    await expect(edgehelm.call(admin, rpc.updateServerHTTPS, { serverId, httpsJSON: bytes(POLICY) }))
      .rejects.toMatchObject({ code: 400, message: AT_POLICY });
    const without = bytes({ isOn: true, listen: [], sslPolicyRef: { isOn: false, sslPolicyId: 0 } });
    await edgehelm.call(admin, rpc.updateServerHTTPS, { serverId, httpsJSON: without });
  });
});
