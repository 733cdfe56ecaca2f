import { describe, expect, test } from "vitest";
import { backwardImports, folderCycles, INDEX, roomOf, ROOMS } from "./rooms.ts";
import { sources } from "./sources.ts";

const core = sources("core");

describe("the checks", () => {
  test("detect an import from a later room", () => {
    const backward = [{ path: "core/base/call.ts", imports: ["../host/cli/main.ts"] }];
    expect(backwardImports(backward)).toEqual(["core/base/call.ts -> core/host/cli/main.ts"]);
    expect(backwardImports([{ path: "core/host/cli/main.ts", imports: ["../../base/call.ts"] }])).toEqual([]);
    expect(backwardImports([{ path: "core/base/call.ts", imports: ["../mod.ts"] }])).toHaveLength(1);
  });

  test("detect a cycle of folders", () => {
    const cycle = [
      { path: "core/net/http1/server.ts", imports: ["../http2/socket.ts"] },
      { path: "core/net/http2/socket.ts", imports: ["../http1/server.ts"] },
    ];
    expect(folderCycles(cycle)).toEqual(["core/net/http1 -> core/net/http2 -> core/net/http1"]);
    expect(folderCycles(cycle.slice(0, 1))).toEqual([]);
  });
});

test("core consists of the rooms and its index", () => {
  const outside = core.map(({ path }) => path).filter((path) => path.split("/").length === 2);
  expect(outside).toEqual([INDEX]);
  expect([...new Set(core.filter(({ path }) => path !== INDEX).map(({ path }) => roomOf(path)))].sort())
    .toEqual([...ROOMS].sort());
});

test("rooms of core import only from earlier rooms", () => {
  expect(backwardImports(core)).toEqual([]);
});

test("folders of core have no circular imports", () => {
  expect(folderCycles(core.filter(({ path }) => path !== INDEX))).toEqual([]);
});
