import { expect, test } from "vitest";
import { parseCommandLine } from "./options.ts";

test("options stand before or after the suite, with or without an equals sign", () => {
  expect(parseCommandLine(["http", "--compare", "HEAD~1", "--rounds=7", "--json"])).toEqual({
    suite: "http",
    compare: "HEAD~1",
    rounds: 7,
    minutes: 10,
    seconds: 1,
    rows: undefined,
    isJson: true,
  });
  expect(parseCommandLine(["--compare=v1", "logs"])).toMatchObject({ suite: "logs", compare: "v1", rounds: undefined });
  expect(parseCommandLine([]).suite).toBeUndefined();
});

test("numbers must be positive, and unknown words are refused", () => {
  expect(() => parseCommandLine(["http", "--rounds=none"])).toThrow('--rounds must be a positive number, not "none"');
  expect(() => parseCommandLine(["http", "--seconds=0.5"])).toThrow('--seconds must be a positive integer, not "0.5"');
  expect(parseCommandLine(["http", "--minutes=0.5"]).minutes).toBe(0.5);
  expect(() => parseCommandLine(["http", "logs"])).toThrow("unknown words on the command line: logs");
  expect(() => parseCommandLine(["http", "--round=1"])).toThrow("--round");
});
