import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { apiYaml, endpointField, endpointsOf } from "../../../plugins/node_installation/configuration.ts";
import { commandLine, quoted } from "../../../plugins/node_installation/shell.ts";

describe("a command line", () => {
  const run = (script: string, args: string[]) =>
    execFileSync("sh", ["-c", commandLine(script, args)], { encoding: "utf8" });

  test.each(["plain", "two words", "it's", "$(id)", "`id`", "a;b|c&d>e", '"', "\\", "*", "-n", "", "ü"])(
    "passes %j on as it is",
    (text) => {
      expect(run(`printf %s "$1"; printf '|%s' "$2"`, [text, "x"])).toBe(`${text}|x`);
    },
  );

  test.each(["a\nb", "a\0b", "a\r"])("refuses %j", (text) => {
    expect(() => quoted(text)).toThrow("must be one line");
  });
});

test("the configuration of a node is YAML whatever its values are", () => {
  expect(apiYaml({ endpoints: ["http://a:1", "https://b:2"], uniqueId: 'x"y', secret: "s" })).toBe(
    'rpc.endpoints: ["http://a:1","https://b:2"]\nnodeId: "x\\"y"\nsecret: "s"\n',
  );
});

test("addresses of the API become URLs", () => {
  const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
  expect(endpointsOf("a", null)).toEqual([]);
  expect(endpointsOf(
    "a",
    json([{ protocol: "https", host: "api.example", portRange: "8003" }, {
      host: "2001:db8::1",
      portRange: "80-90",
    }]),
  )).toEqual(["https://api.example:8003", "http://[2001:db8::1]:80"]);
  expect(endpointField("a", "https://api.example:8003")).toBe("https://api.example:8003");
  for (const wrong of ["api.example", "ftp://a", "https://a/path", "https://u@a"]) {
    expect(() => endpointField("apiEndpoints[0]", wrong)).toThrow("apiEndpoints[0]: must be an address");
  }
});
