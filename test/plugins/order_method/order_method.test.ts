import { as } from "edgehelm/testing";
import { expect, test } from "vitest";
import { OrderMethodService } from "../../../plugins/order_method/proto/service_order_method_pb.ts";
import { admin, createMethod, createUser, edgehelm, order, secret, useKernel } from "../user_order/rig.ts";

const {
  createOrderMethod,
  deleteOrderMethod,
  findAllAvailableOrderMethods,
  findAllEnabledOrderMethods,
  findEnabledOrderMethod,
  findEnabledOrderMethodWithCode,
  updateOrderMethod,
} = OrderMethodService.method;

useKernel();
const idOf = async (code: string) =>
  (await edgehelm.call(admin, findEnabledOrderMethodWithCode, { code })).orderMethod!.id;

test.each(["http", "connect", "grpcweb"] as const)("an admin manages methods over %s", async (wire) => {
  const request = { name: "Voucher", code: `voucher_${wire}`, description: "paper", clientType: "mobile" };
  const { orderMethodId } = await edgehelm.call(admin, createOrderMethod, request, wire);
  const { orderMethod } = await edgehelm.call(admin, findEnabledOrderMethod, { orderMethodId }, wire);
  expect(orderMethod).toMatchObject({ id: orderMethodId, ...request, isOn: true, parentCode: "" });
  expect(orderMethod?.secret).toMatch(/^whsec_[\w+/]{43}=$/);
  await edgehelm.call(admin, updateOrderMethod, { orderMethodId, name: "Paper", isOn: false }, wire);
  const all = await edgehelm.call(admin, findAllEnabledOrderMethods, {}, wire);
  const available = await edgehelm.call(admin, findAllAvailableOrderMethods, {}, wire);
  expect(all.orderMethods.map(({ code }) => code)).toContain(request.code);
  expect(available.orderMethods.map(({ code }) => code)).not.toContain(request.code);
  await edgehelm.call(admin, deleteOrderMethod, { orderMethodId }, wire);
  expect((await edgehelm.call(admin, findEnabledOrderMethod, { orderMethodId }, wire)).orderMethod).toBeUndefined();
});

test("users get neither address nor secret nor parameters, and no method that is turned off", async () => {
  const ada = as.user(7n);
  await createMethod("hidden", "webhook", { paramsJSON: new TextEncoder().encode('{"secrets": []}') });
  const { orderMethods } = await edgehelm.call(ada, findAllAvailableOrderMethods, {});
  expect(orderMethods.map(({ code }) => code)).toContain("hidden");
  for (const { url, secret: shown, params } of orderMethods) expect([url, shown, params.length]).toEqual(["", "", 0]);
  expect(JSON.stringify(orderMethods, (_, value) => typeof value === "bigint" ? `${value}` : value)).not.toContain(
    secret,
  );
  await edgehelm.call(admin, updateOrderMethod, { orderMethodId: await idOf("hidden"), name: "hidden", isOn: false });
  expect((await edgehelm.call(ada, findEnabledOrderMethodWithCode, { code: "hidden" })).orderMethod).toBeUndefined();
});

test("an update keeps the parameters that it leaves out, the code and the provider", async () => {
  const params = JSON.stringify({ secrets: [secret] });
  await createMethod("kept", "webhook", { paramsJSON: new TextEncoder().encode(params) });
  const orderMethodId = await idOf("kept");
  await edgehelm.call(admin, updateOrderMethod, { orderMethodId, name: "Kept", isOn: true });
  const { orderMethod } = await edgehelm.call(admin, findEnabledOrderMethod, { orderMethodId });
  expect([orderMethod!.parentCode, new TextDecoder().decode(orderMethod!.params)]).toEqual(["webhook", params]);
  await expect(edgehelm.call(admin, updateOrderMethod, { orderMethodId, name: "Kept", code: "new" }))
    .rejects.toMatchObject({ code: 400, message: expect.stringContaining("code: ") });
});

test("a method is not deleted while orders wait for payment through it", async () => {
  await createMethod("awaited", "");
  const code = await order(await createUser(), 5, "awaited");
  await expect(edgehelm.call(admin, deleteOrderMethod, { orderMethodId: await idOf("awaited") }))
    .rejects.toMatchObject({ code: 409, message: expect.stringContaining(`order "${code}"`) });
});

test.each([
  [{ code: "card" }, 409, 'the order method "card" already exists'],
  [{ code: "a b" }, 400, 'code: must be 1 to 40 letters, digits, underscores and hyphens, got "a b"'],
  [{ url: "ftp://pay" }, 400, 'url: must be empty or an address such as https://pay.example.com/, got "ftp://pay"'],
  [{ parentCode: "cash" }, 400, 'parentCode: must be empty or one of webhook, got "cash"'],
  [{ name: "" }, 400, "name: must not be empty"],
])("createOrderMethod refuses %o", async (fields, code, message) => {
  const request = { name: "New", code: "new", ...fields };
  await expect(edgehelm.call(admin, createOrderMethod, request)).rejects.toMatchObject({ code, message });
});
