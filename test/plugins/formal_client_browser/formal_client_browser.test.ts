import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import plugin from "../../../plugins/formal_client_browser/plugin.ts";
import { FormalClientBrowserService } from "../../../plugins/formal_client_browser/proto/service_formal_client_browser_pb.ts";

const rpc = FormalClientBrowserService.method;
const admin = as.admin();

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

async function create(name: string, codes: string[], dataId: string): Promise<bigint> {
  const created = await edgehelm.call(admin, rpc.createFormalClientBrowser, { name, codes, dataId });
  return created.formalClientBrowserId;
}

async function find(dataId: string) {
  return (await edgehelm.call(admin, rpc.findFormalClientBrowserWithDataId, { dataId })).formalClientBrowser;
}

test("an admin creates browsers, finds them by their codes, and updates one", async () => {
  const chrome = await create("Chrome", ["chrome", " CriOS "], "d1");
  const opera = await create("Opera", ["opera", "opr", "100%"], "d2");
  expect(await find("d1")).toMatchObject({ id: chrome, name: "Chrome", codes: ["chrome", "CriOS"], state: 1 });

  const idsMatching = async (keyword: string) => {
    const { formalClientBrowsers } = await edgehelm.call(admin, rpc.listFormalClientBrowsers, { keyword });
    const { count } = await edgehelm.call(admin, rpc.countFormalClientBrowsers, { keyword });
    expect(count).toBe(BigInt(formalClientBrowsers.length));
    return formalClientBrowsers.map(({ id }) => id);
  };
  expect(await idsMatching("")).toEqual([opera, chrome]);
  expect(await idsMatching("crios")).toEqual([chrome]);
  expect(await idsMatching("%")).toEqual([opera]);
  expect(await idsMatching("operaopr")).toEqual([]);
  const { formalClientBrowsers } = await edgehelm.call(admin, rpc.listFormalClientBrowsers, { offset: 1n, size: 1n });
  expect(formalClientBrowsers.map(({ id }) => id)).toEqual([chrome]);

  const update = { formalClientBrowserId: chrome, name: "Google Chrome", codes: ["chrome"], dataId: "d3" };
  await edgehelm.call(admin, rpc.updateFormalClientBrowser, update);
  expect(await find("d1")).toBeUndefined();
  expect(await find("d3")).toMatchObject({ id: chrome, name: "Google Chrome", codes: ["chrome"] });
});

describe("a data id belongs to one browser", () => {
  const taken = { code: 409, reason: "formal_client_browser.data_id_taken" };

  test("on creation", async () => {
    await create("first", ["first"], "one");
    await expect(create("second", ["second"], " one ")).rejects.toMatchObject(taken);
  });

  test("on concurrent creation", async () => {
    const requests = Array.from({ length: 5 }, (_, at) => create(`racer ${at}`, ["racer"], "race"));
    const results = await Promise.allSettled(requests);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("on update, except to the browser that has it", async () => {
    const id = await create("third", ["third"], "three");
    await create("fourth", ["fourth"], "four");
    const update = { formalClientBrowserId: id, name: "third", codes: ["third"] };
    await edgehelm.call(admin, rpc.updateFormalClientBrowser, { ...update, dataId: "three" });
    await expect(edgehelm.call(admin, rpc.updateFormalClientBrowser, { ...update, dataId: "four" }))
      .rejects.toMatchObject(taken);
  });
});

test.each([
  [{ name: "" }, "name: must not be empty"],
  [{ codes: [] }, "codes: must not be empty"],
  [{ codes: ["a", ""] }, "codes[1]: must not be empty"],
  [{ codes: ["a", "a"] }, 'codes[1]: "a" is listed twice'],
  [{ codes: ["a\nb"] }, "codes[0]: must be one line"],
  [{ dataId: " " }, "dataId: must not be empty"],
])("createFormalClientBrowser refuses %j", async (wrong, message) => {
  const request = { name: "name", codes: ["code"], dataId: "wrong", ...wrong };
  await expect(edgehelm.call(admin, rpc.createFormalClientBrowser, request))
    .rejects.toMatchObject({ code: 400, message });
});

test("updateFormalClientBrowser refuses a browser that does not exist", async () => {
  const request = { formalClientBrowserId: 9999n, name: "name", codes: ["code"], dataId: "unknown" };
  await expect(edgehelm.call(admin, rpc.updateFormalClientBrowser, request))
    .rejects.toMatchObject({ code: 404, message: "browser 9999 does not exist" });
});
