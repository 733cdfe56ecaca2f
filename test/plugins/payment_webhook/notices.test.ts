import { expect, test } from "vitest";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import { UserOrderService } from "../../../plugins/user_order/proto/service_user_order_pb.ts";
import {
  accountOf,
  admin,
  bodyOf,
  book,
  createUser,
  edgehelm,
  entriesOf,
  find,
  notify,
  order,
  post,
  signedHeaders,
  useKernel,
} from "../user_order/rig.ts";

useKernel();
const { cancelUserOrder, notifyUserOrderPayment } = UserOrderService.method;

test("a notice books the payment once, also if it arrives 20 times at once", async () => {
  const ada = await createUser();
  const orderCode = await order(ada, 25);
  const notice = { id: "once", orderCode, amount: "25.00" };
  const results = await Promise.all(Array.from({ length: 20 }, () => notify(notice)));
  expect(results.filter((result) => result === "booked")).toHaveLength(1);
  expect(results.filter((result) => result === "repeated")).toHaveLength(19);
  expect([await accountOf(ada), await entriesOf(ada)]).toEqual([{ total: 25, debt: 0 }, [["charge", 25]]]);
  expect(await find(ada, orderCode)).toMatchObject({ status: "finished", amount: 25, problem: "" });
});

test.each([
  ["amount", { amount: "24.99" }, "paid 24.99 EUR instead of 25.00 EUR"],
  ["amount with more digits", { amount: "2500" }, "paid 2500.00 EUR instead of 25.00 EUR"],
  ["currency", { currency: "USD" }, "paid 25.00 USD instead of 25.00 EUR"],
])("another %s books nothing and marks the order", async (name, fields, problem) => {
  const ada = await createUser();
  const orderCode = await order(ada, 25);
  expect(await notify({ id: `other ${name}`, orderCode, amount: "25", ...fields })).toBe("differs");
  expect(await accountOf(ada)).toEqual({ total: 0, debt: 0 });
  expect(await find(ada, orderCode)).toMatchObject({ status: "doing", problem });
  expect(await notify({ id: `right ${name}`, orderCode, amount: "25" })).toBe("booked");
  expect(await find(ada, orderCode)).toMatchObject({ status: "finished", problem: "" });
});

test("a second payment of an order books nothing and marks the order", async () => {
  const ada = await createUser();
  const orderCode = await order(ada, 25);
  expect(await notify({ id: "first", orderCode, amount: "25.00" })).toBe("booked");
  expect(await notify({ id: "second", orderCode, amount: "25.00" })).toBe("differs");
  expect(await accountOf(ada)).toEqual({ total: 25, debt: 0 });
  expect(await find(ada, orderCode)).toMatchObject({ status: "finished", problem: "paid again: 25.00 EUR" });
});

test("refunds and chargebacks are transactions of their own, together no more than the order", async () => {
  const ada = await createUser();
  const orderCode = await order(ada, 25);
  const about = (id: string, type: string, amount: string) =>
    notify({ id, type: `payment.${type}`, orderCode, amount });
  expect(await about("early", "refunded", "5")).toBe("differs");
  expect(await notify({ id: "paid", orderCode, amount: "25" })).toBe("booked");
  expect(await about("part", "refunded", "5")).toBe("booked");
  expect(await about("part", "refunded", "5")).toBe("repeated");
  expect(await about("more", "chargeback", "20.01")).toBe("differs");
  expect(await about("rest", "chargeback", "20")).toBe("booked");
  expect(await entriesOf(ada)).toEqual([["charge", 25], ["paymentRefund", -5], ["chargeback", -20]]);
  expect([await accountOf(ada), (await find(ada, orderCode))?.refundedAmount]).toEqual([{ total: 0, debt: 0 }, 25]);
});

test("a chargeback of money that was spent becomes a debt, which the next income pays first", async () => {
  const ada = await createUser();
  const orderCode = await order(ada, 25);
  await notify({ id: "debt paid", orderCode, amount: "25" });
  await book(ada, -18, "withdraw");
  expect(await notify({ id: "debt", type: "payment.chargeback", orderCode, amount: "25" })).toBe("booked");
  expect(await accountOf(ada)).toEqual({ total: 0, debt: 18 });
  await book(ada, 10, "charge");
  expect(await accountOf(ada)).toEqual({ total: 0, debt: 8 });
  await book(ada, 10, "award");
  expect(await accountOf(ada)).toEqual({ total: 2, debt: 0 });
  const entries = await entriesOf(ada);
  expect(entries.slice(2)).toEqual([
    ["chargeback", -7],
    ["charge", 10],
    ["chargeback", -10],
    ["award", 10],
    ["chargeback", -8],
  ]);
  expect(entries.reduce((sum, [, delta]) => sum + Math.round(Number(delta) * 100), 0)).toBe(200);
});

test("a payment after the order was cancelled goes to the account", async () => {
  const ada = await createUser();
  const orderCode = await order(ada, 25);
  await edgehelm.call(ada, cancelUserOrder, { code: orderCode });
  expect(await notify({ id: "late", orderCode, amount: "25" })).toBe("booked");
  expect(await accountOf(ada)).toEqual({ total: 25, debt: 0 });
});

test("notices about unknown orders, other methods and deleted users book nothing", async () => {
  expect(await notify({ id: "unknown", orderCode: "123", amount: "1" })).toBe("unknown_order");
  const ada = await createUser();
  expect(await notify({ id: "bank", orderCode: await order(ada, 1, "bank"), amount: "1" })).toBe("unknown_order");
  const orderCode = await order(ada, 25);
  await edgehelm.call(admin, UserService.method.deleteUser, { userId: ada.id });
  expect(await notify({ id: "deleted", orderCode, amount: "25" })).toBe("no_user");
});

test("a payment that is pending and then fails can be tried again", async () => {
  const ada = await createUser();
  const orderCode = await order(ada, 25);
  const states = [];
  for (const type of ["payment.pending", "payment.failed"]) {
    expect(await notify({ id: type, type, orderCode, amount: "25" })).toBe("noted");
    states.push((await find(ada, orderCode))?.status);
  }
  expect(states).toEqual(["doing", "none"]);
  expect(await notify({ id: "at last", orderCode, amount: "25" })).toBe("booked");
});

test("a console can forward a notice, which must be signed", async () => {
  const ada = await createUser();
  const orderCode = await order(ada, 25);
  const body = bodyOf({ id: "forwarded", orderCode, amount: "25" });
  const formData = (headers: object) => new TextEncoder().encode(JSON.stringify({ headers, body }));
  const send = (headers: object) =>
    edgehelm.call(admin, notifyUserOrderPayment, { payMethod: "card", formData: formData(headers) });
  await expect(send({})).rejects.toMatchObject({ reason: "payment_webhook.unsigned" });
  for (let times = 0; times < 2; times++) await send(signedHeaders("forwarded", body));
  expect(await accountOf(ada)).toEqual({ total: 25, debt: 0 });
  expect(await post(body, signedHeaders("forwarded", body))).toMatchObject({ status: 200, result: "repeated" });
});
