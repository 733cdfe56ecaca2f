import { expect, test } from "vitest";
import { decodePunycode } from "../../../plugins/server/punycode.ts";

// The first four are samples of RFC 3492, section 7.1, in lower case.
test.each([
  [
    "egbpdaj6bu4bxfgehfvwxn",
    "\u0644\u064a\u0647\u0645\u0627\u0628\u062a\u0643\u0644\u0645\u0648\u0634\u0639\u0631\u0628\u064a\u061f",
  ],
  ["ihqwcrb4cv8a8dqg056pqjye", "\u4ed6\u4eec\u4e3a\u4ec0\u4e48\u4e0d\u8bf4\u4e2d\u6587"],
  ["proprostnemluvesky-uyb24dma41a", "pro\u010dprost\u011bnemluv\u00ed\u010desky"],
  ["2-u9tlzr9756bt3uc0v", "\u3072\u3068\u3064\u5c4b\u6839\u306e\u4e0b2"],
  ["mnchen-3ya", "m\u00fcnchen"],
  ["n28h", "\u{1f609}"],
])("decodes %s", (label, text) => {
  expect(decodePunycode(label)).toBe(text);
});

test.each(["a", "-", "a-b-", "99999999999", "mnchen-3y\u00e4", "mnchen-3y!"])(
  "refuses %s, or finds no other letters",
  (label) => {
    const decoded = decodePunycode(label) ?? "";
    expect(/[^ -~]/.test(decoded) && URL.parse(`http://${decoded}.test`)?.hostname === `xn--${label}.test`).toBe(false);
  },
);
