import Database from "libsql";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { netOf } from "../../../plugins/user_invoice/tax.ts";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import { UserInvoiceService } from "../../../plugins/user_invoice/proto/service_user_invoice_pb.ts";
import { TEST_DATABASE } from "../../harness/database.ts";
import { admin, clock, createUser, edgehelm, find, invoice, spend, useKernel } from "./rig.ts";

const { countUserInvoices, createUserCreditNote, findUserInvoice, findUserInvoiceAddress, listUserInvoices } =
  UserInvoiceService.method;

const directory = mkdtempSync(join(tmpdir(), "edgehelm-test-"));
afterAll(() => rm(directory, { recursive: true }));
useKernel(directory);

const sequence = (number: string) => Number(number.split("-").at(-1));

test.each(["http", "connect", "grpcweb"] as const)(
  "an invoice has a line for each expense, once, over %s",
  async (wire) => {
    const ada = await createUser();
    await spend(ada, 10, "plan small");
    await spend(ada, 0.99, "package");
    const { userInvoiceId, number } = await invoice(ada, {
      lines: [{ description: "setup", amount: 1 }],
      note: "thanks",
    });
    const { userInvoice } = await edgehelm.call(ada, findUserInvoice, { number }, wire);
    expect(userInvoice).toMatchObject({
      ...{ id: userInvoiceId, userId: ada.id, number, kind: "invoice", day: "2026-12-20", correctsNumber: "" },
      ...{ netAmount: 10.08, taxRate: 0.19, taxLabel: "MwSt", taxAmount: 1.91, totalAmount: 11.99, currency: "EUR" },
      ...{ note: "thanks", seller: "Edge Ltd, 1 Quay, Cork", address: { country: "DE" } },
      lines: [
        { description: "plan small", amount: 10 },
        { description: "package", amount: 0.99 },
        { description: "setup", amount: 1 },
      ],
    });
    await expect(invoice(ada)).rejects.toMatchObject({ reason: "user_invoice.no_lines" });
    await spend(ada, 2, "later");
    expect(await find((await invoice(ada)).userInvoiceId)).toMatchObject({ lines: [{ description: "later" }] });
  },
);

describe("the tax", () => {
  test.each([
    ["DE", "", 16.81, 3.19, "MwSt", ""],
    ["DE", "DE123", 20, 0, "", "The tax is owed by the recipient."],
    ["HU", "HU123", 15.75, 4.25, "AFA", ""],
    ["CH", "", 18.5, 1.5, "MWST", ""],
    ["US", "", 20, 0, "", ""],
  ])("of a user in %s with the tax number %o", async (country, taxNumber, netAmount, taxAmount, taxLabel, note) => {
    const user = await createUser(country, taxNumber);
    await spend(user, 20, "plan");
    expect(await find((await invoice(user)).userInvoiceId))
      .toMatchObject({ netAmount, taxAmount, totalAmount: 20, taxLabel, note });
  });

  test("is exact: net amounts are those of fractions, rounded half up", () => {
    for (let total = 0n; total < 2000n; total++) {
      for (const rate of [0n, 81_000n, 190_000n, 1_000_000n]) {
        const net = netOf(total, rate);
        const twice = 2n * total * 1_000_000n - (2n * net) * (1_000_000n + rate);
        expect(twice >= -(1_000_000n + rate) && twice < 1_000_000n + rate).toBe(true);
      }
    }
  });
});

describe("numbers", () => {
  test("have no gaps after concurrent and failed issues", async () => {
    const users = await Promise.all(Array.from({ length: 20 }, () => createUser()));
    for (const [index, user] of users.entries()) if (index % 2 === 0) await spend(user, 1, "plan");
    const before = sequence((await invoice(users[0]!)).number);
    const results = await Promise.allSettled(users.map((user) => invoice(user)));
    const numbers = results.flatMap((result) => result.status === "fulfilled" ? [sequence(result.value.number)] : []);
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 9 }, (_, index) => before + 1 + index));
  });

  test("begin again each year, in a series of their own for credit notes", async () => {
    const ada = await createUser();
    await spend(ada, 5, "plan");
    clock.advance(13 * 86_400);
    await spend(ada, 6, "plan");
    const { userInvoiceId, number } = await invoice(ada, { dayTo: "2027-01-31" });
    expect(number).toBe("INV-2027-000001");
    const note = await edgehelm.call(admin, createUserCreditNote, { userInvoiceId, reason: "returned" });
    expect(note.number).toBe("CN-2027-000001");
    const count = async (filter: object) => Number((await edgehelm.call(ada, countUserInvoices, filter)).count);
    expect([await count({}), await count({ year: 2027 }), await count({ year: 2026 })]).toEqual([2, 2, 0]);
    clock.advance(-13 * 86_400);
  });
});

describe("a credit note", () => {
  test("corrects an invoice in parts, whose tax adds up to that of the invoice", async () => {
    const ada = await createUser();
    await spend(ada, 10, "plan");
    const { userInvoiceId, number } = await invoice(ada);
    const correct = async (amount: number) => {
      const request = { userInvoiceId, amount, reason: "returned" };
      return await find((await edgehelm.call(admin, createUserCreditNote, request)).userInvoiceId);
    };
    const notes = [await correct(3.33), await correct(3.33), await correct(0)];
    expect(notes[0]).toMatchObject({
      kind: "creditNote",
      correctsNumber: number,
      totalAmount: -3.33,
      note: "returned",
    });
    const cents = (name: "netAmount" | "taxAmount" | "totalAmount") =>
      notes.reduce((sum, note) => sum + Math.round(note![name] * 100), 0);
    expect([cents("netAmount"), cents("taxAmount"), cents("totalAmount")]).toEqual([-840, -160, -1000]);
    await expect(correct(0.01)).rejects.toMatchObject({
      reason: "user_invoice.too_much",
      message: `0.00 of the invoice ${number} is left to correct`,
    });
    expect(await find(userInvoiceId)).toMatchObject({ totalAmount: 10 });
  });

  test("cannot correct a credit note, or more than the invoice, also concurrently", async () => {
    const ada = await createUser();
    await spend(ada, 10, "plan");
    const { userInvoiceId } = await invoice(ada);
    const correct = (id: bigint, amount: number) =>
      edgehelm.call(admin, createUserCreditNote, { userInvoiceId: id, amount, reason: "returned" });
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => correct(userInvoiceId, 6)));
    const [note, ...more] = results.flatMap((result) => result.status === "fulfilled" ? [result.value] : []);
    expect(more).toEqual([]);
    await expect(correct(note!.userInvoiceId, 1)).rejects.toMatchObject({ reason: "user_invoice.not_invoice" });
  });
});

test("the database refuses to change or delete an invoice", async ({ skip }) => {
  skip(TEST_DATABASE !== "file");
  const ada = await createUser();
  await spend(ada, 10, "plan");
  const { userInvoiceId } = await invoice(ada);
  const database = new Database(join(directory, "edgehelm.db"));
  for (
    const change of [
      "update userInvoices set totalAmount = 1, netAmount = 1, taxAmount = 0",
      "delete from userInvoices",
    ]
  ) {
    expect(() => database.exec(`${change} where id = ${userInvoiceId}`)).toThrow("an invoice never changes");
  }
  database.close();
  expect(await find(userInvoiceId)).toMatchObject({ totalAmount: 10 });
});

test("users see their own invoices and addresses only, and invoices outlive them", async () => {
  const [ada, bob] = [await createUser(), await createUser("CH")];
  await spend(ada, 10, "plan");
  const { userInvoiceId, number } = await invoice(ada);
  expect(await find(userInvoiceId, bob)).toBeUndefined();
  expect((await edgehelm.call(bob, findUserInvoice, { number })).userInvoice).toBeUndefined();
  expect((await edgehelm.call(bob, listUserInvoices, { userId: ada.id })).userInvoices).toEqual([]);
  expect((await edgehelm.call(bob, findUserInvoiceAddress, { userId: ada.id })).address?.country).toBe("CH");
  await edgehelm.call(admin, UserService.method.deleteUser, { userId: ada.id });
  await edgehelm.kernel.runJob("user.remove_deleted");
  expect(await find(userInvoiceId)).toMatchObject({ number, address: { name: expect.stringContaining("reader") } });
  expect((await edgehelm.call(admin, findUserInvoiceAddress, { userId: ada.id })).address).toBeUndefined();
});

test.each([
  [{ dayFrom: "2026-13-01" }, 'dayFrom: must be a day such as 2026-01-31, got "2026-13-01"'],
  [{ dayTo: "2026-11-30" }, "dayTo: must not be before 2026-12-01, got 2026-11-30"],
  [{ lines: [{ description: "", amount: 1 }] }, "lines[0].description: must not be empty"],
  [{ lines: [{ description: "x", amount: 0 }] }, "lines[0].amount: must be more than 0"],
  [{ lines: Array(101).fill({ description: "x", amount: 1 }) }, "lines: must have at most 100 items, got 101"],
])("createUserInvoice refuses %o", async (fields, message) => {
  await expect(invoice(await createUser(), fields)).rejects.toMatchObject({ code: 400, message });
});
