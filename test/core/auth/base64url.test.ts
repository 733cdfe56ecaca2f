import { expect, test } from "vitest";
import { decodeBase64url, encodeBase64url } from "../../../core/auth/base64url.ts";

test.each([[[], ""], [[0], "AA"], [[251, 255], "-_8"], [[1, 2, 3], "AQID"]])("%j is %j and back", (bytes, text) => {
  expect(encodeBase64url(Uint8Array.from(bytes))).toBe(text);
  expect(decodeBase64url(text)).toEqual(Uint8Array.from(bytes));
});

test.each(["A", "AB", "AA==", "AA=", "+/8", "-_9", " AQID", "AQ ID", "AQID\n", "AQIDA", "ąQID"])(
  "%j is not canonical",
  (text) => {
    expect(decodeBase64url(text)).toBeUndefined();
  },
);
