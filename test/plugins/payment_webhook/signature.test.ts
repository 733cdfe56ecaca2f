import { expect, test } from "vitest";
import { OrderMethodService } from "../../../plugins/order_method/proto/service_order_method_pb.ts";
import {
  accountOf,
  admin,
  bodyOf,
  createMethod,
  createUser,
  edgehelm,
  order,
  post,
  secret,
  signedHeaders,
  useKernel,
} from "../user_order/rig.ts";

useKernel();

const OLD = `whsec_${btoa("an old secret of 24 byte")}`;
const OTHER = `whsec_${btoa("another secret, 24 bytes")}`;
let notices = 0;

async function newNotice(method = "card") {
  const ada = await createUser();
  const id = `evt ${++notices}`;
  return { ada, id, body: bodyOf({ id, orderCode: await order(ada, 5, method), amount: "5" }) };
}

test("a notice that the peer signs is booked", async () => {
  const { ada, id, body } = await newNotice();
  expect(await post(body, signedHeaders(id, body))).toEqual({ status: 200, result: "booked" });
  expect((await accountOf(ada)).total).toBe(5);
});

test.each<[string, (headers: Record<string, string>, body: string) => [Record<string, string>, string]]>([
  ["another id", (headers, body) => [{ ...headers, "webhook-id": "evt other" }, body]],
  ["another body", (headers, body) => [headers, body.replace('"5"', '"50"')]],
  [
    "another time",
    (headers, body) => [{ ...headers, "webhook-timestamp": String(Number(headers["webhook-timestamp"]) + 1) }, body],
  ],
  ["no signature", ({ "webhook-signature": _, ...headers }, body) => [headers, body]],
  [
    "another version",
    (headers, body) => [{ ...headers, "webhook-signature": headers["webhook-signature"]!.replace("v1,", "v2,") }, body],
  ],
  ["a signature that is not base64", (headers, body) => [{ ...headers, "webhook-signature": "v1,***" }, body]],
  ["a time that is not a number", (headers, body) => [{ ...headers, "webhook-timestamp": "now" }, body]],
])("a notice with %s is refused", async (_name, change) => {
  const { ada, id, body } = await newNotice();
  const [headers, sent] = change(signedHeaders(id, body), body);
  expect(await post(sent, headers)).toMatchObject({ status: 401, reason: "payment_webhook.unsigned" });
  expect((await accountOf(ada)).total).toBe(0);
});

test.each([[-301, 401], [-300, 200], [300, 200], [301, 401]])(
  "the response to a notice that was signed %i seconds from now has the status %i",
  async (seconds, status) => {
    const { id, body } = await newNotice();
    expect((await post(body, signedHeaders(id, body, secret, seconds))).status).toBe(status);
  },
);

test("a method takes several secrets, so that one can be replaced, and those of no other method", async () => {
  const paramsJSON = new TextEncoder().encode(JSON.stringify({ secrets: [OLD] }));
  const own = await createMethod("rotated", "webhook", { paramsJSON });
  const statusOf = async (...keys: string[]) => {
    const { id, body } = await newNotice("rotated");
    const signed = keys.map((key) => signedHeaders(id, body, key));
    const signatures = signed.map((headers) => headers["webhook-signature"]).join(" ");
    return (await post(body, { ...signed[0], "webhook-signature": signatures }, "rotated")).status;
  };
  expect([await statusOf(own), await statusOf(OLD), await statusOf(OTHER, OLD)]).toEqual([200, 200, 200]);
  expect([await statusOf(OTHER), await statusOf(secret)]).toEqual([401, 401]);
  const { findEnabledOrderMethodWithCode, updateOrderMethod } = OrderMethodService.method;
  const { orderMethod } = await edgehelm.call(admin, findEnabledOrderMethodWithCode, { code: "rotated" });
  const update = { orderMethodId: orderMethod!.id, name: "rotated", url: orderMethod!.url, isOn: true };
  await edgehelm.call(admin, updateOrderMethod, { ...update, paramsJSON: new TextEncoder().encode('{"secrets": []}') });
  expect([await statusOf(own), await statusOf(OLD)]).toEqual([200, 401]);
});

test.each([
  ["no JSON", "paid", "payment_webhook.malformed"],
  ["an unknown type", JSON.stringify({ type: "payment.made", data: {} }), "payment_webhook.malformed"],
  ["no payment", JSON.stringify({ type: "payment.succeeded" }), "payment_webhook.malformed"],
  ["a negative amount", bodyWith({ amount: "-5" }), "payment_webhook.malformed"],
  ["three decimals", bodyWith({ amount: "5.001" }), "payment_webhook.malformed"],
  ["a small currency", bodyWith({ currency: "eur" }), "payment_webhook.malformed"],
])("a signed notice with %s is refused", async (name, body, reason) => {
  expect(await post(body, signedHeaders(name, body))).toMatchObject({ status: 400, reason });
});

function bodyWith(fields: object): string {
  return JSON.stringify({
    type: "payment.succeeded",
    data: { orderCode: "1", amount: "5", currency: "EUR", ...fields },
  });
}

test("a large notice and one for an unknown method are refused", async () => {
  const body = " ".repeat(65_537);
  expect(await post(body, signedHeaders("large", body))).toMatchObject({ status: 413, reason: "kernel.too_large" });
  expect(await post("{}", signedHeaders("unknown", "{}"), "none"))
    .toMatchObject({ status: 404, reason: "payment_webhook.unknown_method" });
  expect((await post("{}", signedHeaders("bank", "{}"), "bank")).status).toBe(404);
});

test("the address for the user carries the order and a signature", async () => {
  const code = await order(await createUser(), 12.5);
  const { UserOrderService } = await import("../../../plugins/user_order/proto/service_user_order_pb.ts");
  const { userOrder } = await edgehelm.call(admin, UserOrderService.method.findEnabledUserOrder, { code });
  const page = new URL(userOrder!.payURL);
  expect(Object.fromEntries(page.searchParams)).toMatchObject({ order: code, amount: "12.50", currency: "EUR" });
  expect(page.searchParams.get("signature")).toMatch(/^v1,[\w+/]{43}=$/);
});

test.each([
  [{ secrets: ["secret"] }, "paramsJSON.secrets[0]: must be whsec_ and 16 to 64 bytes in base64"],
  [{ secrets: Array(6).fill(OLD) }, "paramsJSON.secrets: must have at most 5 items"],
])("parameters like %o are refused", async (params, message) => {
  const paramsJSON = new TextEncoder().encode(JSON.stringify(params));
  await expect(createMethod("wrong", "webhook", { paramsJSON })).rejects.toMatchObject({ code: 400, message });
});
