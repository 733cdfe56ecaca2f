import { describe, expect, test } from "vitest";
import { backwardImports, folderCircles, INDEX, roomOf, ROOMS } from "./rooms.ts";
import { sources } from "./sources.ts";

const core = sources("core");

describe("the rule itself", () => {
  test("sees an import that is turned around, also one of types in a folder below", () => {
    const turned = [{ path: "core/base/call.ts", imports: ["../host/cli/main.ts"] }];
    expect(backwardImports(turned)).toEqual(["core/base/call.ts -> core/host/cli/main.ts"]);
    expect(backwardImports([{ path: "core/host/cli/main.ts", imports: ["../../base/call.ts"] }])).toEqual([]);
    expect(backwardImports([{ path: "core/base/call.ts", imports: ["../mod.ts"] }])).toHaveLength(1);
  });

  test("sees a circle of folders", () => {
    const circle = [
      { path: "core/net/http1/server.ts", imports: ["../http2/socket.ts"] },
      { path: "core/net/http2/socket.ts", imports: ["../http1/server.ts"] },
    ];
    expect(folderCircles(circle)).toEqual(["core/net/http1 -> core/net/http2 -> core/net/http1"]);
    expect(folderCircles(circle.slice(0, 1))).toEqual([]);
  });
});

test("core holds rooms, its index and its guides, and nothing loose", () => {
  const loose = core.map(({ path }) => path).filter((path) => path.split("/").length === 2);
  expect(loose).toEqual([INDEX]);
  expect([...new Set(core.filter(({ path }) => path !== INDEX).map(({ path }) => roomOf(path)))].sort())
    .toEqual([...ROOMS].sort());
});

test("rooms of core import only from rooms before them", () => {
  expect(backwardImports(core)).toEqual([]);
});

test("folders of core do not import each other in circles", () => {
  expect(folderCircles(core.filter(({ path }) => path !== INDEX))).toEqual([]);
});
