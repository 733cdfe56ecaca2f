import { expect, test } from "vitest";
import { settingsOf } from "../../../core/plugin_api/plugin_settings.ts";
import { AccessLogClickHouseConfigSchema } from "../../../plugins/access_log_clickhouse/proto/config_pb.ts";
import { HTTPAccessLogConfigSchema } from "../../../plugins/http_access_log/proto/config_pb.ts";

const shown = (config: Parameters<typeof settingsOf>[1]) =>
  settingsOf(HTTPAccessLogConfigSchema, { segments: config! }).find(({ name }) => name === "segments")!.value;

test.each([
  [{ password: "a" }, { password: "••••••" }],
  [{ apiKey: "a", api_key: "a", key: "a" }, { apiKey: "••••••", api_key: "••••••", key: "••••••" }],
  [{ secretKeys: { a: "b", c: ["d"] } }, { secretKeys: { a: "••••••", c: ["••••••"] } }],
  [{ list: [{ token: "a", name: "b" }] }, { list: [{ token: "••••••", name: "b" }] }],
  [{ password: "env:DATABASE_TOKEN" }, { password: "env:DATABASE_TOKEN" }],
  [{ secretOnce: true, password: "" }, { secretOnce: true, password: "" }],
  [{ url: "libsql://token@db.example/?a=1" }, { url: "libsql://••••••@db.example/?a=1" }],
  [{ keepDays: 7, keyboard: "qwerty", monkey: "yes" }, { keepDays: 7, keyboard: "qwerty", monkey: "yes" }],
])("%j is shown as %j", (config, expected) => {
  expect(shown(config)).toEqual(expected);
});

test("every field of the config message is there, set or not", () => {
  expect(settingsOf(AccessLogClickHouseConfigSchema, undefined).map(({ name, value }) => [name, value])).toEqual([
    ["url", undefined],
    ["database", undefined],
    ["username", undefined],
    ["password", undefined],
  ]);
  expect(settingsOf(undefined, undefined)).toEqual([]);
});
