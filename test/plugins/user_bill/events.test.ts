import { as } from "edgehelm/testing";
import { expect, test } from "vitest";
import { UserBillService } from "../../../plugins/user_bill/proto/service_user_bill_pb.ts";
import { emittedBy } from "../../core/events/emitted.ts";
import { clock, edgehelm, network, useKernel } from "./bills_rig.ts";
import { billsOf, charge, GB, generate } from "./rig.ts";

const { payUserBill } = UserBillService.method;
const OVERDUE_SECONDS = 10 * 86_400;
const REMINDER_SECONDS = 3 * 86_400;

useKernel();

const eventsOf = async (userId: bigint) =>
  (await emittedBy(edgehelm, "user_bill")).filter((one) => one.userId === userId);
const namesOf = async (userId: bigint) => (await eventsOf(userId)).map(({ name }) => name);

test("a bill is an event when it is made, paid, due and overdue, once each", async () => {
  const [may, april] = (await billsOf(edgehelm, 7n)).toSorted((one, other) => one.dayFrom < other.dayFrom ? 1 : -1);
  const overdueAt = String(BigInt(clock.now() / 1000) + BigInt(OVERDUE_SECONDS));
  expect(await eventsOf(7n)).toEqual([
    expect.objectContaining({
      name: "user_bill.made",
      data: { userBillId: String(april!.id), dayFrom: "2026-04-01", dayTo: "2026-04-30", amount: "1000", overdueAt },
    }),
    expect.objectContaining({ data: expect.objectContaining({ userBillId: String(may!.id) }) }),
  ]);
  // A later change of the amount is no event.
  network.send(7n, "20260510", GB);
  await generate(edgehelm, { month: "202605" });
  expect((await billsOf(edgehelm, 7n)).map(({ amount }) => amount).toSorted()).toEqual([10, 11]);
  expect(await eventsOf(7n)).toHaveLength(2);

  await charge(edgehelm, 7n, 10);
  for (let times = 0; times < 2; times++) {
    await edgehelm.call(as.user(7n), payUserBill, { userBillId: april!.id });
  }
  expect((await namesOf(7n)).slice(2)).toEqual(["user_bill.paid"]);

  const remindTwice = async () => {
    for (let times = 0; times < 2; times++) await edgehelm.kernel.runJob("user_bill.remind");
  };
  clock.advance(OVERDUE_SECONDS - REMINDER_SECONDS);
  await remindTwice();
  expect(await namesOf(7n)).toHaveLength(3);
  clock.advance(1);
  await remindTwice();
  expect((await eventsOf(7n)).slice(3)).toEqual([
    {
      name: "user_bill.became_due",
      userId: 7n,
      data: { userBillId: String(may!.id), code: may!.code, amount: "1100", overdueAt },
    },
  ]);
  clock.advance(REMINDER_SECONDS - 1);
  await remindTwice();
  expect(await namesOf(7n)).toHaveLength(4);
  clock.advance(1);
  await remindTwice();
  expect((await eventsOf(7n)).slice(4)).toEqual([
    {
      name: "user_bill.became_overdue",
      userId: 7n,
      data: expect.objectContaining({ code: may!.code, amount: "1100" }),
    },
  ]);
});
