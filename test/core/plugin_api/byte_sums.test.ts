import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { byteSums } from "../../../core/plugin_api/byte_sums.ts";

test("the sums of parts are those of the whole", () => {
  const whole = new Uint8Array(200_000).map((_, index) => index % 253);
  const sums = byteSums();
  for (let at = 0; at < whole.length; at += 70_001) sums.update(whole.subarray(at, at + 70_001));
  const of = (name: string) => createHash(name).update(whole).digest("hex");
  expect(sums.end()).toEqual({ sha256: of("sha256"), md5: of("md5") });
});
