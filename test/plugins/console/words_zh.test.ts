import { expect, test } from "vitest";
import { chinese } from "../../../plugins/console/app/shell/words_zh.ts";

test.each([
  ["created at", "创建时间"],
  ["ns cluster id", "DNS 集群 ID"],
  ["traffic limit", "流量限制"],
  ["count server names", "网站域名数"],
  ["widget name", "widget 名称"],
  ["gadget", "gadget"],
])("%s becomes %s", (words, expected) => {
  expect(chinese(words.split(" "))).toBe(expected);
});
