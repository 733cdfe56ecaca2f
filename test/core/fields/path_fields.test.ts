import { absolutePathField } from "edgehelm/fields";
import { expect, test } from "vitest";

test("paths must be absolute and without ..", () => {
  expect(absolutePathField("dir", "")).toBe("");
  expect(absolutePathField("dir", " /opt/node ")).toBe("/opt/node");
  expect(absolutePathField("dir", "/opt/a\\..")).toBe("/opt/a\\..");
  for (const wrong of ["opt", "/opt/../etc", "/o\npt", "C:\\data"]) {
    expect(() => absolutePathField("dir", wrong)).toThrow("dir: must be an absolute path without .., got");
  }
});

test("paths of Windows are accepted where the field allows them", () => {
  const check = (path: string) => absolutePathField("dir", path, { orWindows: true });
  expect(check("C:\\data")).toBe("C:\\data");
  expect(check("/opt/cache")).toBe("/opt/cache");
  for (const wrong of ["C:data", "C:\\data\\..", "/opt/../etc", "data"]) {
    expect(() => check(wrong)).toThrow("dir: must be an absolute path without .., got");
  }
});

test("a path may be required and has a limit", () => {
  expect(() => absolutePathField("dir", " ", { min: 1 })).toThrow("dir: must not be empty");
  expect(() => absolutePathField("dir", "/12345", { max: 5 })).toThrow("dir: must have at most 5 characters, got 6");
  expect(() => absolutePathField("dir", `/${"a".repeat(255)}`)).toThrow("dir: must have at most 255 characters");
});
