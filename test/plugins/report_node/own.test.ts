import { as } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { edgehelm, find, parsed, report, reportNode, rpc, useKernel } from "./rig.ts";

useKernel();

describe("a report node", () => {
  /** Makes a call from an address, as a listener would. */
  async function callFrom(remoteAddress: string | undefined, path: string, id: bigint) {
    const { dispatch, operations } = edgehelm.kernel;
    const token = await edgehelm.token(as.report(id));
    const metadata = { token, requestId: "r", remoteAddress };
    const operation = operations.find(`/ReportNodeService/${path}`)!;
    return await dispatch.call(operation, metadata, () => ({ request: {} }), (response) => response);
  }

  test("can call only from allowed addresses", async () => {
    const id = await reportNode(edgehelm, "fixed", { allowIPs: ["192.0.2.7", "2001:db8::7"] });
    const path = "findCurrentReportNodeConfig";
    for (const address of ["192.0.2.7", "::ffff:192.0.2.7", "2001:DB8:0::7"]) {
      expect(await callFrom(address, path, id)).toBeDefined();
    }
    for (const address of ["192.0.2.8", "2001:db8::8", undefined]) {
      await expect(callFrom(address, path, id)).rejects.toMatchObject({ kind: "forbidden" });
    }
    await expect(edgehelm.call(as.report(id), rpc.updateReportResults, {})).rejects.toMatchObject({ code: 403 });
  });

  test("receives the addresses to measure", async () => {
    const id = await reportNode(edgehelm, "measurer");
    const { ipAddrTasksJSON } = await edgehelm.call(as.report(id), rpc.findReportNodeTasks, {});
    expect(parsed(ipAddrTasksJSON)).toEqual([1, 2, 3].map((addrId) => ({ addrId, ip: `192.0.2.${addrId}`, port: 80 })));
    const { reportNodeJSON } = await edgehelm.call(as.report(id), rpc.findCurrentReportNodeConfig, {});
    expect(parsed(reportNodeJSON)).toEqual({ id: Number(id) });
    await expect(edgehelm.call(as.report(999n), rpc.findReportNodeTasks, {})).rejects.toMatchObject({ code: 404 });
  });

  test("is active while its stream is open", async () => {
    const id = await reportNode(edgehelm, "streamer");
    const { readable, writable } = new TransformStream();
    const responses = edgehelm.stream(as.report(id), rpc.reportNodeStream, readable);
    expect((await responses.next()).value).toMatchObject({ reportNodeId: id, code: "connectedAPINode" });
    await report(id, { os: "linux" });
    expect((await find(id))?.isActive).toBe(true);
    await writable.close();
    expect((await responses.next()).done).toBe(true);
    expect((await find(id))?.isActive).toBe(false);
  });
});
