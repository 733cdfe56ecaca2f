import { expect, test } from "vitest";
import { OrderMethodService } from "../../../plugins/order_method/proto/service_order_method_pb.ts";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import { UserOrderService } from "../../../plugins/user_order/proto/service_user_order_pb.ts";
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
  useKernel,
} from "./rig.ts";

const { cancelUserOrder, countEnabledUserOrders, createUserOrder, finishUserOrder, listEnabledUserOrders } =
  UserOrderService.method;

useKernel();

test.each(["http", "connect", "grpcweb"] as const)(
  "a user orders, and an admin finishes the order, over %s",
  async (wire) => {
    const ada = await createUser();
    const request = { type: "charge", orderMethodCode: "bank", amount: 12.34 };
    const { code, payURL } = await edgehelm.call(ada, createUserOrder, request, wire);
    expect(code).toMatch(/^20260110\d{16}$/);
    expect(payURL).toBe("https://pay.test/bank");
    expect(await find(ada, code)).toMatchObject({
      ...{ code, type: "charge", status: "none", currency: "EUR", isExpired: false, canPay: true, payURL },
      orderMethod: { code: "bank", secret: "", url: "" },
    });
    for (let times = 0; times < 2; times++) await edgehelm.call(admin, finishUserOrder, { code }, wire);
    expect(await find(ada, code)).toMatchObject({ status: "finished", canPay: false, payURL: "" });
    expect([await accountOf(ada), await entriesOf(ada)]).toEqual([{ total: 12.34, debt: 0 }, [["charge", 12.34]]]);
  },
);

test.each([
  [{ amount: 0 }, "amount: must be more than 0 and at most 10000.00, got 0"],
  [{ amount: 10_000.01 }, "amount: must be more than 0 and at most 10000.00, got 10000.01"],
  [{ amount: 1.001 }, "amount: must have at most 2 decimals, got 1.001"],
  [{ type: "gift" }, 'type: must be one of charge, got "gift"'],
  [{ orderMethodCode: "cash" }, 'orderMethodCode: order method "cash" does not exist'],
  [{ paramsJSON: new TextEncoder().encode("{}") }, "paramsJSON: must be empty for charge"],
])("createUserOrder refuses %o", async (fields, message) => {
  const request = { type: "charge", orderMethodCode: "card", amount: 5, ...fields };
  await expect(edgehelm.call(await createUser(), createUserOrder, request)).rejects.toMatchObject({
    code: 400,
    message,
  });
});

test("an order is not created through a method that is turned off", async () => {
  await createMethod("off", "");
  const { findEnabledOrderMethodWithCode, updateOrderMethod } = OrderMethodService.method;
  const { orderMethod } = await edgehelm.call(admin, findEnabledOrderMethodWithCode, { code: "off" });
  await edgehelm.call(admin, updateOrderMethod, { orderMethodId: orderMethod!.id, name: "off", isOn: false });
  await expect(order(await createUser(), 5, "off")).rejects.toMatchObject({ reason: "user_order.method_off" });
});

test("users see and cancel their own orders only", async () => {
  const [ada, bob] = [await createUser(), await createUser()];
  const code = await order(ada, 5);
  await order(bob, 6);
  expect(await find(bob, code)).toBeUndefined();
  await expect(edgehelm.call(bob, cancelUserOrder, { code })).rejects.toMatchObject({ code: 404 });
  const { userOrders } = await edgehelm.call(ada, listEnabledUserOrders, { userId: bob.id });
  expect(userOrders.map((found) => found.code)).toEqual([code]);
  expect((await edgehelm.call(ada, countEnabledUserOrders, { status: "none", keyword: code.slice(8) })).count).toBe(1n);
  expect((await edgehelm.call(admin, countEnabledUserOrders, { userId: bob.id })).count).toBe(1n);
  await edgehelm.call(ada, cancelUserOrder, { code });
  expect(await find(ada, code)).toMatchObject({ status: "cancelled", canPay: false });
});

test("an order that was paid cannot be cancelled, and an expired one cannot be paid", async () => {
  const ada = await createUser();
  const [paid, late] = [await order(ada, 5), await order(ada, 5)];
  await edgehelm.call(admin, finishUserOrder, { code: paid });
  await expect(edgehelm.call(ada, cancelUserOrder, { code: paid }))
    .rejects.toMatchObject({ reason: "user_order.already_paid" });
  clock.advance(86_400);
  expect(await find(ada, late)).toMatchObject({ isExpired: true, canPay: false, payURL: "" });
});

test("at most 50 orders of a user wait for payment, also if they are created at once", async () => {
  const ada = await createUser();
  const results = await Promise.allSettled(Array.from({ length: 53 }, () => order(ada, 1)));
  const refused = results.flatMap((result) => result.status === "rejected" ? [result.reason.reason] : []);
  expect(refused).toEqual(Array(3).fill("user_order.too_many"));
  clock.advance(86_400);
  await order(ada, 1);
});

test("orders are deleted with their user", async () => {
  const ada = await createUser();
  const code = await order(ada, 5);
  await edgehelm.call(admin, UserService.method.deleteUser, { userId: ada.id });
  await edgehelm.kernel.runJob("user.remove_deleted");
  expect(await find(admin, code)).toBeUndefined();
});
