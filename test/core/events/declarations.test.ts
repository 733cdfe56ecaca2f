import { defineEvent } from "edgehelm/runtime";
import { testKernel } from "edgehelm/testing";
import { expect, test } from "vitest";
import { CreateNodeGrantRequestSchema } from "../../../plugins/node_grant/proto/service_node_grant_pb.ts";
import { StatusSchema } from "../../../proto/google/rpc/status_pb.ts";
import { plugin } from "../kernel/rig.ts";
import { Bell, rang, struck, texts } from "./bell.ts";

const undeclared = { ...rang, name: "bell.fell" };

test("only declared events are emitted, and only in a transaction", async () => {
  const bell = await new Bell().start();
  const call = bell.kernel.kernel.systemCall("test");
  await expect(bell.events.emit(call, rang, {})).rejects.toThrow('event "bell.rang" emitted outside a transaction');
  await expect(call.transact((inner) => bell.events.emit(inner, undeclared, {})))
    .rejects.toThrow('event "bell.fell" is not declared in "events" of a plugin');
});

test("a plugin whose events are declared wrongly does not start", async () => {
  const wrong = [
    { ...rang, name: "clock.struck" },
    { ...rang, name: "bell.tower.rang" },
    { ...rang, about: "hour" },
    { ...rang, texts: { ...texts, zh: { subject: "{texts}", body: "" } } },
  ];
  const start = testKernel({ plugins: [plugin("bell", { events: wrong as never })] });
  await expect(start).rejects.toMatchObject({
    errors: [
      'plugin "bell": event "clock.struck": its name must be "bell." and snake_case without another dot',
      'plugin "bell": event "bell.tower.rang": its name must be "bell." and snake_case without another dot',
      'plugin "bell": event "bell.rang": about: ProbeRequest has no field "hour"',
      'plugin "bell": event "bell.rang": texts.zh: ProbeRequest has no field "texts"',
      'plugin "bell": event "bell.rang" is declared twice',
    ],
  });
});

test("the data of a kind has no field with the name of a secret, and no bytes", async () => {
  const noTexts = { en: { subject: "", body: "" }, zh: { subject: "", body: "" } };
  const kinds = [
    defineEvent({ ...rang, data: CreateNodeGrantRequestSchema, about: "name", texts: noTexts }),
    defineEvent({ ...rang, name: "bell.fell", data: StatusSchema, about: "code", texts: noTexts }),
  ];
  const start = testKernel({ plugins: [plugin("bell", { events: kinds as never })] });
  await expect(start).rejects.toMatchObject({
    errors: expect.arrayContaining([
      'plugin "bell": event "bell.rang": data: CreateNodeGrantRequest.password has the name of a secret',
      'plugin "bell": event "bell.fell": data: Any.value may not be bytes',
    ]),
  });
});

test("long texts are cut in the data of an event", async () => {
  const bell = await new Bell().start();
  await bell.ring("x".repeat(2000));
  await bell.deliver();
  await expect.poll(() => bell.heard()).toEqual([`${"x".repeat(999)}…`]);
});

test("data that is too large in spite of short texts is refused", async () => {
  const bell = await new Bell().start();
  const call = bell.kernel.kernel.systemCall("test");
  const metadata = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`${index}`, "y".repeat(1000)]));
  await expect(call.transact((inner) => bell.events.emit(inner, struck, { metadata })))
    .rejects.toThrow('the data of event "bell.struck" has 20164 bytes, more than the 16384 allowed');
});
