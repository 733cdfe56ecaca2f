import { describe, expect, test } from "vitest";
import { jsonCodec } from "../../../../core/protobuf/json/codec.ts";
import { InstallationConfigSchema } from "../../../fixtures/json/kitchen_sink_pb.ts";
import { errorMessage } from "./error_message.ts";

describe("a strict codec", () => {
  const configs = jsonCodec(InstallationConfigSchema, { unknownFields: "refuse" });

  test.each([
    [{ http: { hots: "x" } }, 'http.hots: is not a known field; did you mean "host"?'],
    [
      { plugins: [{}, { config: { maxPerUsr: 1 } }] },
      'plugins[1].config.maxPerUsr: is not a known field; did you mean "maxPerUser"?',
    ],
    [{ http: { elephants: 1 } }, "http.elephants: is not a known field; known fields: host, port"],
    [{ "a b": null }, '["a b"]: is not a known field; known fields: http, plugins'],
    [{ ["x".repeat(1000)]: 1 }, `["${"x".repeat(60)}..."]: is not a known field; known fields: http, plugins`],
  ])("refuses %o", (json, message) => {
    expect(errorMessage(() => configs.decode(json))).toBe(message);
  });

  test("prefixes errors with the given path", () => {
    expect(errorMessage(() => configs.decode({ http: { port: -1 } }, "manifest")))
      .toBe("manifest.http.port: expected an integer from 0 to 4294967295, got -1");
    expect(errorMessage(() => configs.decode([], "plugins[3].config"))).toBe(
      "plugins[3].config: expected a JSON object, got an array",
    );
  });

  test("accepts the same spellings as other codecs", () => {
    expect(configs.decode({ HTTP: { Port: "80" } }).http?.port).toBe(80);
  });
});
