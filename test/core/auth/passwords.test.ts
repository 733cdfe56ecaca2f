import { describe, expect, test } from "vitest";
import { checkNewPassword, isPossiblePassword, isWithinCostLimit, needsRehash } from "../../../core/auth/passwords.ts";

const TAIL = "$c29tZXNhbHQxMjM0$c29tZWhhc2hvZmF0bGVhc3QxNmJ5dGVz";

describe("a new password", () => {
  test.each(["12345678", "żółwżółw", "🔑🔑🔑🔑🔑🔑🔑🔑", "x".repeat(1024)])("may be %j", (password) => {
    expect(() => checkNewPassword("password", password)).not.toThrow();
  });

  test.each([
    ["1234567", "newPassword: must have at least 8 characters, got 7"],
    ["", "newPassword: must have at least 8 characters, got 0"],
    ["🔑🔑🔑🔑", "newPassword: must have at least 8 characters, got 4"],
    ["x".repeat(1025), "newPassword: must have at most 1024 bytes"],
    ["ż".repeat(513), "newPassword: must have at most 1024 bytes"],
  ])("may not be %j", (password, message) => {
    expect(() => checkNewPassword("newPassword", password)).toThrow(
      expect.objectContaining({ kind: "invalid", message }),
    );
  });

  test("is measured in its normalized form", () => {
    // Eight code points, which compose to four characters.
    expect(() => checkNewPassword("password", "z\u0307".repeat(4))).toThrow("got 4");
  });
});

test.each([["1", true], ["", false], ["x".repeat(1024), true], ["x".repeat(1025), false]])(
  "isPossiblePassword(%j) returns %j",
  (password, possible) => {
    expect(isPossiblePassword(password)).toBe(possible);
  },
);

test.each([
  [`$argon2id$v=19$m=19456,t=2,p=1${TAIL}`, false, true],
  [`$argon2id$v=19$m=19455,t=2,p=1${TAIL}`, true, true],
  [`$argon2id$v=19$m=19456,t=3,p=1${TAIL}`, true, true],
  [`$argon2id$v=19$m=19456,t=2,p=2${TAIL}`, true, true],
  [`$argon2id$v=19$m=4194304,t=2,p=1${TAIL}`, true, false],
  [`$argon2id$v=19$m=19456,t=2000,p=1${TAIL}`, true, false],
  [`$argon2id$v=19$m=19456,t=0,p=1${TAIL}`, true, false],
  [`$argon2id$v=19$m=64,t=1,p=16${TAIL}`, true, false],
  [`$argon2id$v=16$m=19456,t=2,p=1${TAIL}`, true, false],
  [`$argon2i$v=19$m=19456,t=2,p=1${TAIL}`, true, false],
  [`$argon2id$v=19$m=19456,t=2,p=1$$`, true, false],
  ["", true, false],
])("%s needs a rehash: %j, is within the cost limit: %j", (phc, rehash, withinLimit) => {
  expect(needsRehash(phc)).toBe(rehash);
  expect(isWithinCostLimit(phc)).toBe(withinLimit);
});
