import { as } from "edgehelm/testing";
import { expect, test } from "vitest";
import apiAccessToken from "../../../plugins/api_access_token/plugin.ts";
import { APIAccessTokenService } from "../../../plugins/api_access_token/proto/service_api_access_token_pb.ts";
import { admin, clusterOf, nodeKernel, rpc } from "./rig.ts";

test("a node logs in with its uniqueId and secret while it exists and is on", async () => {
  const kernel = await nodeKernel([], [apiAccessToken]);
  await using edgehelm = kernel.edgehelm;
  const nodeClusterId = await clusterOf(edgehelm);
  const { nsNodeId } = await edgehelm.call(admin, rpc.createNSNode, { name: "n", nodeClusterId });
  const { uniqueId, secret } = (await edgehelm.call(admin, rpc.findNSNode, { nsNodeId })).nsNode!;
  const exchange = (type: string, accessKey: string, accessKeyId = uniqueId) =>
    edgehelm.call(as.anonymous(), APIAccessTokenService.method.getAPIAccessToken, { type, accessKeyId, accessKey });
  let { token } = await exchange("dns", secret);
  const config = async () => {
    const request = new Request("http://edgehelm.test/NSNodeService/findCurrentNSNodeConfig", {
      method: "POST",
      headers: { "x-cloud-access-token": token },
    });
    return (await (await edgehelm.fetch(request)).json()).code;
  };
  expect(await config()).toBe(200);
  await expect(exchange("dns", "wrong")).rejects.toMatchObject({ code: 401 });
  await expect(exchange("admin", secret)).rejects.toMatchObject({ code: 401 });
  await expect(exchange("dns", secret, "0".repeat(32))).rejects.toMatchObject({ code: 401 });
  const update = { nsNodeId, name: "n", nsClusterId: nodeClusterId };
  await edgehelm.call(admin, rpc.updateNSNode, { ...update, isOn: false });
  expect(await config()).toBe(401);
  await expect(exchange("dns", secret)).rejects.toMatchObject({ code: 401 });
  await edgehelm.call(admin, rpc.updateNSNode, { ...update, isOn: true });
  expect(await config()).toBe(401);
  token = (await exchange("dns", secret)).token;
  expect(await config()).toBe(200);
  await edgehelm.call(admin, rpc.deleteNSNode, { nsNodeId });
  expect(await config()).toBe(401);
});
