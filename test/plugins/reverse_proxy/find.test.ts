import { describe, expect, test } from "vitest";
import { ada, configOf, edgehelm, origin, parsed, refs, rpc, useKernel } from "./rig.ts";

useKernel();

describe("findEnabledReverseProxy", () => {
  test("returns the stored values, which empty fields of an update keep", async () => {
    const id = await origin();
    const { reverseProxyId } = await edgehelm.call(ada, rpc.createReverseProxy, { primaryOriginsJSON: refs(id) });
    await edgehelm.call(ada, rpc.updateReverseProxyPrimaryOrigins, { reverseProxyId });
    await edgehelm.call(ada, rpc.updateReverseProxyScheduling, { reverseProxyId });
    const { reverseProxy } = await edgehelm.call(ada, rpc.findEnabledReverseProxy, { reverseProxyId });
    expect(reverseProxy?.primaryOriginsJSON).toEqual(refs(id));
    expect(parsed(reverseProxy!.schedulingJSON)).toMatchObject({ code: "random" });
    expect(parsed(reverseProxy!.backupOriginsJSON)).toEqual([]);
  });

  test("returns nothing for a proxy that does not exist; its configuration is null", async () => {
    expect((await edgehelm.call(ada, rpc.findEnabledReverseProxy, { reverseProxyId: 999n })).reverseProxy)
      .toBeUndefined();
    expect(await configOf(999n)).toBeNull();
  });
});
