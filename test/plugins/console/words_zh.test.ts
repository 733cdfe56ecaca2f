import { nestedTypes } from "@bufbuild/protobuf/reflect";
import { textValuesOf } from "edgehelm/wire";
import { describe, expect, test } from "vitest";
import { partsOf } from "../../../plugins/console/app/shell/name_parts.ts";
import { chinese, VALUES } from "../../../plugins/console/app/shell/words_zh.ts";
import { NOUNS } from "../../../plugins/console/app/texts/nouns.ts";
import { PHRASES } from "../../../plugins/console/app/texts/phrases_zh.ts";
import { ALONE, WORDS } from "../../../plugins/console/app/texts/words_zh.ts";
import { generatedFiles, generatedMessages, generatedServices } from "../../rules/generated.ts";
import { foreignWords } from "./proper_names.ts";

const zh = (name: string) => chinese(partsOf(name).map((part) => part.toLowerCase()));

/** Returns `name: text` for each name that is not wholly in Chinese. */
function notChinese(names: Iterable<string>, textOf: (name: string) => string | undefined): string[] {
  return [...new Set(names)].map((name) => `${name}: ${textOf(name) ?? ""}`).filter((line) => {
    const text = line.slice(line.indexOf(": ") + 2);
    return text === "" || foreignWords(text).length > 0;
  });
}

const OF_OTHERS = /^(?:google|grpc)\./;
const fields = (await generatedMessages()).filter(({ typeName }) => !OF_OTHERS.test(typeName))
  .flatMap((message) => message.fields);

describe("every name in Chinese", () => {
  test("of a field", () => {
    expect(fields.length).toBeGreaterThan(2000);
    expect(notChinese(fields.map(({ name }) => name), zh)).toEqual([]);
  });

  test("of a kind of object", async () => {
    const nouns = (await generatedServices()).map(({ name }) => name.replace(/Service$/, ""));
    expect(notChinese([...nouns, ...Object.keys(NOUNS.en)], (noun) => NOUNS.zh[noun]?.[0] ?? zh(noun))).toEqual([]);
    expect(notChinese([...nouns, ...Object.keys(NOUNS.en)], (noun) => NOUNS.zh[noun]?.[1] ?? zh(noun))).toEqual([]);
  });

  test("of a value that a text may have", () => {
    const values = fields.flatMap(textValuesOf).filter((value) => value !== "");
    expect(values.length).toBeGreaterThan(200);
    expect(notChinese(values, (value) => VALUES[value])).toEqual([]);
  });

  test("of a value of an enum", async () => {
    const enums = (await generatedFiles()).flatMap((file) => [...nestedTypes(file)])
      .flatMap((type) => type.kind === "enum" && !OF_OTHERS.test(type.typeName) ? type.values : []);
    expect(enums.length).toBeGreaterThan(10);
    expect(notChinese(enums.map(({ name }) => name), (name) => VALUES[name])).toEqual([]);
  });
});

test.each([
  ["createdAt", "创建时间"],
  ["nsClusterId", "DNS 集群 ID"],
  ["trafficLimitJSON", "流量限制"],
  ["countServerNames", "网站域名数"],
  ["countIPs", "IP 数"],
  ["countOfflineNodes", "离线节点数"],
  ["nameAsc", "名称升序"],
  ["retentionDays", "保留天数"],
  ["allowedIPs", "允许的 IP"],
  ["skipSetCookie", "跳过 Set-Cookie"],
  ["restIsOn", "启用 REST"],
  ["from", "发件地址"],
  ["timeFrom", "时间起"],
  ["timeoutSeconds", "超时（秒）"],
  ["rowsPerSecond", "每秒行数"],
  ["bandwidthLimitPerNodeJSON", "每节点带宽限制"],
  ["widgetName", "widget 名称"],
  ["gadget", "gadget"],
])("%s becomes %s", (name, expected) => {
  expect(zh(name)).toBe(expected);
});

test.each([["words", WORDS], ["phrases", PHRASES], ["whole names", ALONE]])(
  "the %s are sorted, and each is there once",
  (_, text) => {
    const keys = text.split(";").map((entry) => entry.trim().split("=")[0]!);
    expect(keys).toEqual([...new Set(keys)].sort());
    expect(text.split(";").filter((entry) => !/^[a-z0-9 ]+=[^=]+$/.test(entry.trim()))).toEqual([]);
  },
);
