import { describe, expect, test } from "vitest";
import {
  admin,
  bytes,
  changedClusters,
  configOf,
  create,
  edgehelm,
  PATH,
  policyOfCluster,
  rpc,
  useKernel,
} from "./rig.ts";

useKernel();

describe("updateHTTPCachePolicyRefs", () => {
  test("replaces the conditions; empty bytes keep them", async () => {
    const id = await create("conditions");
    const cond = { param: "${requestPath}", operator: "prefix", value: "/img/", isRequest: true };
    const ref = {
      isOn: true,
      key: "${host}${requestURI}",
      life: { count: 1, unit: "day" },
      status: [200, 206],
      conds: { isOn: true, connector: "or", groups: [{ isOn: true, connector: "and", conds: [cond] }] },
    };
    policyOfCluster.set(5n, id);
    changedClusters.length = 0;
    await edgehelm.call(admin, rpc.updateHTTPCachePolicyRefs, { httpCachePolicyId: id, refsJSON: bytes([ref]) });
    expect(changedClusters).toEqual([5n]);
    policyOfCluster.clear();
    await edgehelm.call(admin, rpc.updateHTTPCachePolicyRefs, { httpCachePolicyId: id });
    const { cacheRefs } = await configOf(id);
    expect(cacheRefs).toHaveLength(1);
    expect(cacheRefs[0]).toMatchObject({ ...ref, enableIfNoneMatch: false, methods: [] });
    expect(cacheRefs[0].conds.groups[0].conds[0]).toEqual({
      ...cond,
      type: "",
      isReverse: false,
      isCaseInsensitive: false,
    });
  });

  test.each([
    [{}, "refsJSON: must be a JSON array"],
    [[{ key: "" }], "refsJSON[0].key: must not be empty"],
    [[{ key: "k" }, { key: "k", status: [20] }], "refsJSON[1].status[0]: must be a status code"],
    [[{ key: "k", life: { count: 1, unit: "year" } }], "refsJSON[0].life.unit: must be one of ms"],
    [[{ key: "k", simpleCond: { param: "p", operator: "like" } }], "refsJSON[0].simpleCond.operator: must be one of"],
    [
      [{ key: "k", simpleCond: { param: "p", operator: "in", value: ".js" } }],
      "simpleCond.value: must be a JSON array",
    ],
    [[{ key: "k", conds: { groups: [{ conds: [{ operator: "eq" }] }] } }], "conds.groups[0].conds[0].param: must not"],
  ])("refuses %j", async (refsJSON, message) => {
    const id = await create("unchanged");
    const response = await edgehelm.post(
      `${PATH}updateHTTPCachePolicyRefs`,
      { httpCachePolicyId: Number(id), refsJSON },
      admin,
    );
    expect(response).toMatchObject({ code: 400, message: expect.stringContaining(message) });
  });
});
