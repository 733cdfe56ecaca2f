import { describe, expect, test } from "vitest";
import { admin, bytes, configOf, create, edgehelm, PATH, useKernel } from "./rig.ts";

useKernel();

describe("createHTTPCachePolicy", () => {
  test("sets defaults for fields that are left out, and one condition", async () => {
    const id = await create("plain", { type: "file", optionsJSON: bytes({ dir: "/opt/cache" }) });
    const config = await configOf(id);
    expect(config).toMatchObject({
      id: Number(id),
      isOn: true,
      name: "plain",
      description: "",
      type: "file",
      capacity: { count: 64, unit: "gb" },
      maxSize: { count: 256, unit: "mb" },
      options: { dir: "/opt/cache", subDirs: [], enableSendfile: false, enableMMAP: false },
      syncCompressionCache: false,
      memoryAutoPurgeCount: 0,
    });
    expect(config.cacheRefs).toHaveLength(1);
    expect(config.cacheRefs[0]).toMatchObject({
      isOn: true,
      key: "${scheme}://${host}${requestURI}",
      life: { count: 2, unit: "hour" },
      status: [200],
      minSize: { count: 0, unit: "kb" },
      maxSize: { count: 32, unit: "mb" },
      methods: [],
      skipSetCookie: true,
      allowChunkedEncoding: true,
      allowPartialContent: true,
      simpleCond: { type: "url-extension", isRequest: true, param: "${requestPathLowerExtension}", operator: "in" },
    });
    expect(JSON.parse(config.cacheRefs[0].simpleCond.value)).toContain(".css");
  });

  test("a memory policy has no options", async () => {
    expect((await configOf(await create("in memory"))).options).toEqual({});
  });

  test.each([
    [{ name: " " }, "name: must not be empty"],
    [{ type: "tape" }, 'type: must be one of file, memory, got "tape"'],
    [{ type: "file" }, "optionsJSON.dir: must not be empty for a policy of type file"],
    [{ type: "file", optionsJSON: { dir: "cache" } }, "optionsJSON.dir: must be an absolute path"],
    [{ type: "file", optionsJSON: { dir: "/a", subDirs: [{ path: "/b/../../etc" }] } }, "optionsJSON.subDirs[0].path:"],
    [{ capacityJSON: { count: 1, unit: "xb" } }, "capacityJSON.unit: must be one of byte, kb"],
    [{ capacityJSON: { count: "8", unit: 5 } }, "capacityJSON.unit: expected a string, got 5"],
    [{ maxSizeJSON: { count: 8, unit: "eb" } }, "maxSizeJSON.count: must be -1 to 7, got 8"],
    [{ fetchTimeoutJSON: { count: -1, unit: "second" } }, "fetchTimeoutJSON.count: must be 0 to"],
  ])("refuses %j", async (wrong, message) => {
    const request = { name: "wrong", isOn: true, type: "memory", ...wrong };
    expect(await edgehelm.post(`${PATH}createHTTPCachePolicy`, request, admin))
      .toMatchObject({ code: 400, message: expect.stringContaining(message) });
  });
});
