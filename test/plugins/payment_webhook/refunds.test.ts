import { createServer, type Server } from "node:http";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { UserOrderRefundService } from "../../../plugins/user_order/proto/service_user_order_refund_pb.ts";
import {
  accountOf,
  admin,
  clock,
  createMethod,
  createUser,
  edgehelm,
  entriesOf,
  find,
  order,
  post,
  signedHeaders,
  useKernel,
} from "../user_order/rig.ts";

useKernel();
const { createUserOrderRefund, listUserOrderRefunds } = UserOrderRefundService.method;

interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
}

let peer: Server;
let secret: string;
/** The statuses of the next responses; 200 after them. */
let statuses: number[];
let received: Received[];

beforeAll(async () => {
  peer = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({ headers: request.headers as Record<string, string>, body: new TextDecoder().decode(...chunks) });
    response.writeHead(statuses.shift() ?? 200, { location: "http://127.0.0.1:9/", connection: "close" }).end(
      "thank you",
    );
  });
  await new Promise<void>((resolve) => peer.listen(0, "127.0.0.1", resolve));
  const { port } = peer.address() as { port: number };
  const params = { refundURL: `http://127.0.0.1:${port}/refunds` };
  secret = await createMethod("bank card", "webhook", {
    code: "bankcard",
    paramsJSON: new TextEncoder().encode(JSON.stringify(params)),
  });
});
afterAll(() => new Promise((resolve) => peer.close(resolve)));
beforeEach(() => {
  statuses = [];
  received = [];
});

/** The provider tells about a payment of an order. */
async function tell(id: string, type: string, data: { orderCode: string; amount: string; refundCode?: string }) {
  const body = JSON.stringify({ type: `payment.${type}`, data: { currency: "EUR", ...data } });
  return (await post(body, signedHeaders(id, body, secret), "bankcard")).result;
}

/** Creates a user with a paid order over 25, and starts a refund of 5. */
async function started() {
  const ada = await createUser();
  const orderCode = await order(ada, 25, "bankcard");
  await tell(`paid ${orderCode}`, "succeeded", { orderCode, amount: "25" });
  const request = { orderCode, amount: 5, reason: "too much" };
  const { code: refundCode } = await edgehelm.call(admin, createUserOrderRefund, request);
  return { ada, orderCode, refundCode };
}
const send = () => edgehelm.kernel.runJob("user_order.send_refunds");
const statusOf = async (orderCode: string) => {
  const { userOrderRefunds: [refund] } = await edgehelm.call(admin, listUserOrderRefunds, { orderCode });
  return [refund!.status, refund!.problem];
};

test("a refund is a signed request, sent once after the provider took it", async () => {
  const { orderCode, refundCode } = await started();
  await send();
  await send();
  expect(received).toHaveLength(1);
  const [{ headers, body }] = received as [Received];
  const at = new Date(Number(headers["webhook-timestamp"]) * 1000);
  expect(at.getTime()).toBe(Math.floor(clock.now() / 1000) * 1000);
  expect(headers["webhook-signature"]).toBe(new Webhook(secret).sign(refundCode, at, body));
  expect(JSON.parse(body)).toEqual({
    type: "refund.requested",
    timestamp: new Date(clock.now()).toISOString(),
    data: { refundCode, orderCode, amount: "5.00", currency: "EUR", reason: "too much" },
  });
  expect(headers["webhook-id"]).toBe(refundCode);
  expect(await statusOf(orderCode)).toEqual(["sent", ""]);
});

test("a refund without a response is sent again later, with the same id, until the provider takes it", async () => {
  const { ada, orderCode } = await started();
  statuses = [503, 302, 429];
  const problems = [];
  for (const seconds of [0, 30, 60, 120]) {
    clock.advance(seconds - 1);
    await send();
    clock.advance(1);
    await send();
    problems.push((await statusOf(orderCode)).join(": "));
  }
  expect(problems).toEqual([
    ...[503, 302, 429].map((status) => `waiting: the payment provider responded with status ${status}`),
    "sent: ",
  ]);
  expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(received).toHaveLength(4);
  expect(await accountOf(ada)).toEqual({ total: 20, debt: 0 });
});

test("a refund that the provider refuses returns to the account, and can be started again", async () => {
  const { ada, orderCode } = await started();
  statuses = [422];
  await send();
  expect(await statusOf(orderCode)).toEqual(["failed", "the payment provider responded with status 422"]);
  expect(await entriesOf(ada)).toEqual([["charge", 25], ["paymentRefund", -5], ["refund", 5]]);
  expect((await find(ada, orderCode))?.refundedAmount).toBe(0);
  await edgehelm.call(admin, createUserOrderRefund, { orderCode, amount: 25 });
});

test.each([
  ["with its code", true],
  ["without a code", false],
])("the notice %s about a refund that we started books nothing again", async (name, isCoded) => {
  const { ada, orderCode, refundCode } = await started();
  await send();
  const data = { orderCode, amount: "5.00", ...(isCoded && { refundCode }) };
  expect(await tell(`refunded ${name}`, "refunded", data)).toBe("noted");
  expect(await tell(`refunded ${name}`, "refunded", data)).toBe("repeated");
  expect(await statusOf(orderCode)).toEqual(["finished", ""]);
  expect(await accountOf(ada)).toEqual({ total: 20, debt: 0 });
  const another = { orderCode, amount: "5.00" };
  expect(await tell(`another ${name}`, "refunded", another)).toBe("booked");
  expect([(await accountOf(ada)).total, (await find(ada, orderCode))?.refundedAmount]).toEqual([15, 10]);
});

test("a refund that did not arrive returns to the account once, and a chargeback counts beside refunds", async () => {
  const { ada, orderCode, refundCode } = await started();
  await send();
  const failed = { orderCode, amount: "5", refundCode };
  expect(await tell("bounced", "refund_failed", failed)).toBe("booked");
  expect(await tell("bounced again", "refund_failed", failed)).toBe("noted");
  expect(await accountOf(ada)).toEqual({ total: 25, debt: 0 });
  expect(await tell("late", "refunded", failed)).toBe("differs");
  expect((await find(ada, orderCode))?.problem).toContain(refundCode);
  expect(await tell("other", "refund_failed", { ...failed, amount: "4" })).toBe("differs");
  await edgehelm.call(admin, createUserOrderRefund, { orderCode, amount: 20 });
  expect(await tell("too much back", "chargeback", { orderCode, amount: "5.01" })).toBe("differs");
  expect(await tell("back", "chargeback", { orderCode, amount: "5" })).toBe("booked");
  expect(await accountOf(ada)).toEqual({ total: 0, debt: 0 });
});

test.each([
  ["http://pay.test/refunds", "must begin with https://"],
  ["https://10.1.2.3/refunds", "must be an address of the public internet"],
  ["https://[::ffff:10.1.2.3]/", "must be an address of the public internet"],
  ["https://0x0a010203/", "must be an address of the public internet"],
  ["https://localhost/", "must be an address of the public internet"],
  ["https://pay.internal/", "must be an address of the public internet"],
  ["https://ada:secret@pay.test/", "must be an address such as .* without a password"],
  ["ftp://pay.test/", "must be an address such as"],
  ["refunds", "must be an address such as"],
])("refunds cannot be sent to %s", async (refundURL, message) => {
  const paramsJSON = new TextEncoder().encode(JSON.stringify({ refundURL }));
  await expect(createMethod("bad", "webhook", { paramsJSON })).rejects.toMatchObject({
    code: 400,
    message: expect.stringMatching(new RegExp(`^paramsJSON.refundURL: ${message}`)),
  });
});
