import { expect, test } from "vitest";
import { OrderMethodService } from "../../../plugins/order_method/proto/service_order_method_pb.ts";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import { UserOrderRefundService } from "../../../plugins/user_order/proto/service_user_order_refund_pb.ts";
import { accountOf, admin, book, createUser, edgehelm, entriesOf, find, notify, order, useKernel } from "./rig.ts";

useKernel();
const { countUserOrderRefunds, createUserOrderRefund, finishUserOrderRefund, listUserOrderRefunds } =
  UserOrderRefundService.method;

/** Creates a user with a paid order over 25. */
async function paid() {
  const ada = await createUser();
  const orderCode = await order(ada, 25);
  await notify({ id: `paid ${orderCode}`, orderCode, amount: "25" });
  return { ada, orderCode };
}
const refund = async (orderCode: string, amount: number, reason = "too much") =>
  (await edgehelm.call(admin, createUserOrderRefund, { orderCode, amount, reason })).code;
const of = async (orderCode: string) =>
  (await edgehelm.call(admin, listUserOrderRefunds, { orderCode })).userOrderRefunds;
const finish = (code: string, more: object = {}) => edgehelm.call(admin, finishUserOrderRefund, { code, ...more });

test("a refund takes its amount from the account at once, and all refunds together no more than was paid", async () => {
  const { ada, orderCode } = await paid();
  await refund(orderCode, 5);
  expect([await accountOf(ada), await entriesOf(ada)])
    .toEqual([{ total: 20, debt: 0 }, [["charge", 25], ["paymentRefund", -5]]]);
  await expect(refund(orderCode, 20.01)).rejects.toMatchObject({
    code: 400,
    message: "amount: must be 0 to 20.00, which is left of the order, got 20.01",
  });
  await expect(refund(orderCode, -1)).rejects.toMatchObject({ code: 400, message: expect.stringMatching(/^amount: /) });
  await refund(orderCode, 0);
  expect([(await accountOf(ada)).total, (await find(ada, orderCode))?.refundedAmount]).toEqual([0, 25]);
  await expect(refund(orderCode, 0)).rejects.toMatchObject({ reason: "user_order.refunded" });
});

test("of 20 refunds at once only those are started that the payment covers", async () => {
  const { ada, orderCode } = await paid();
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => refund(orderCode, 10)));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  expect([(await accountOf(ada)).total, (await of(orderCode)).length]).toEqual([5, 2]);
});

test("what was spent cannot be refunded, and neither can an order that was not paid", async () => {
  const { ada, orderCode } = await paid();
  await book(ada, -20, "withdraw");
  await expect(refund(orderCode, 25)).rejects.toMatchObject({ code: 409, message: expect.stringContaining("balance") });
  expect([await of(orderCode), (await find(ada, orderCode))?.refundedAmount]).toEqual([[], 0]);
  const unpaid = await order(ada, 25);
  await expect(refund(unpaid, 1)).rejects.toMatchObject({ reason: "user_order.not_paid" });
  await expect(refund("123", 1)).rejects.toMatchObject({ reason: "user_order.not_found" });
});

test("a refund by hand is finished once, or fails and returns its amount", async () => {
  const { ada, orderCode } = await paid();
  const [done, failed] = [await refund(orderCode, 5), await refund(orderCode, 7)];
  for (let times = 0; times < 2; times++) {
    await finish(done);
    await finish(failed, { isFailed: true, problem: "account closed" });
  }
  expect(await of(orderCode)).toMatchObject([
    { code: failed, amount: 7, status: "failed", problem: "account closed" },
    { code: done, amount: 5, status: "finished", reason: "too much", currency: "EUR" },
  ]);
  expect((await find(ada, orderCode))?.refundedAmount).toBe(5);
  expect(await entriesOf(ada)).toEqual([["charge", 25], ["paymentRefund", -5], ["paymentRefund", -7], ["refund", 7]]);
  await expect(finish(failed)).rejects.toMatchObject({ reason: "user_order.refund_failed" });
  await expect(finish(done, { isFailed: true })).rejects.toMatchObject({ reason: "user_order.refund_finished" });
  await expect(finish("123")).rejects.toMatchObject({ reason: "user_order.refund_not_found" });
});

test("a refund that fails after its user was deleted books nothing", async () => {
  const { ada, orderCode } = await paid();
  const code = await refund(orderCode, 5);
  await edgehelm.call(admin, UserService.method.deleteUser, { userId: ada.id });
  await finish(code, { isFailed: true });
  expect(await of(orderCode)).toMatchObject([{ status: "failed" }]);
});

test("users see their own refunds and start none, and a method with open refunds cannot be deleted", async () => {
  const { ada, orderCode } = await paid();
  const bob = await createUser();
  await refund(orderCode, 5);
  const counts = [];
  for (const caller of [ada, bob]) {
    counts.push((await edgehelm.call(caller, countUserOrderRefunds, { orderCode })).count);
    await expect(edgehelm.call(caller, createUserOrderRefund, { orderCode, amount: 1 })).rejects.toMatchObject({
      code: 403,
    });
  }
  expect(counts).toEqual([1n, 0n]);
  const { findEnabledOrderMethodWithCode, deleteOrderMethod } = OrderMethodService.method;
  const { orderMethod } = await edgehelm.call(admin, findEnabledOrderMethodWithCode, { code: "card" });
  await expect(edgehelm.call(admin, deleteOrderMethod, { orderMethodId: orderMethod!.id })).rejects.toMatchObject({
    message: expect.stringContaining("refund"),
  });
});
