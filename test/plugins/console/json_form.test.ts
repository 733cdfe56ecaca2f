import { expect, test } from "vitest";
import {
  bestMessage,
  moved,
  parsed,
  withField,
  withItem,
  written,
} from "../../../plugins/console/app/parts/json/value.ts";
import { DOTS, withoutSecrets } from "../../../plugins/console/app/parts/secrets/secret_names.ts";
import { NetworkAddressSchema } from "../../../proto/shapes/network_address_pb.ts";
import { TimeDurationSchema } from "../../../proto/shapes/time_duration_pb.ts";

test("an empty text is no JSON, and no mistake", () => {
  expect([parsed(" "), parsed('{"a":1}'), parsed("{")]).toEqual([null, { a: 1 }, undefined]);
  expect([written(null), written({ a: 1 })]).toEqual(["", '{\n  "a": 1\n}']);
});

test("a field or item without a value is removed", () => {
  expect(withField({ a: 1, b: 2 }, "a", null)).toEqual({ b: 2 });
  expect(withField({ a: 1 }, "a", false)).toEqual({ a: false });
  expect(withItem([1, 2, 3], 1, null)).toEqual([1, 3]);
  expect(withItem([1, 2], 1, 5)).toEqual([1, 5]);
});

test.each([[0, -1, [1, 2, 3]], [0, 1, [2, 1, 3]], [2, -1, [1, 3, 2]], [2, 1, [1, 2, 3]]] as const)(
  "item %i moves by %i, and not beyond the ends",
  (index, step, expected) => {
    expect(moved([1, 2, 3], index, step)).toEqual(expected);
  },
);

test("of several messages the one is taken that has most of the fields", () => {
  const messages = [NetworkAddressSchema, TimeDurationSchema];
  expect(bestMessage(messages, { count: 5, unit: "day" })).toBe(TimeDurationSchema);
  expect(bestMessage(messages, null)).toBe(NetworkAddressSchema);
});

test("secrets are replaced by dots, wherever they are in JSON", () => {
  const value = {
    ...{ password: "p", appSecret: "s", token: "t", privateKey: "k", secretType: "clear", hasPassword: true, count: 2 },
    ...{ secrets: { key: "k" }, empty: { password: "" }, url: "https://a.example" },
    headers: [{ name: "Authorization", value: "Bearer" }, { name: "Accept", value: "*" }, "plain", null],
  };
  expect(withoutSecrets(value)).toEqual({
    ...{ password: DOTS, appSecret: DOTS, token: DOTS, privateKey: DOTS, secretType: "clear", hasPassword: true },
    ...{ count: 2, secrets: DOTS, empty: { password: "" }, url: "https://a.example" },
    headers: [{ name: "Authorization", value: DOTS }, { name: "Accept", value: "*" }, "plain", null],
  });
});
