import { definePlugin, type Plugin } from "edgehelm";
import { type ConformanceOptions, pluginConformance } from "edgehelm/testing";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import browsers from "../../../plugins/formal_client_browser/plugin.ts";
import { FormalClientBrowserService } from "../../../plugins/formal_client_browser/proto/service_formal_client_browser_pb.ts";
import groups from "../../../plugins/ns_domain_group/plugin.ts";
import { NSDomainGroupService } from "../../../plugins/ns_domain_group/proto/service_ns_domain_group_pb.ts";

const OWNERSHIP = "an object of another user is to a user as if it did not exist";
const PAGING = "every list is the same in pages of any size";
const MIGRATIONS = "a database of every earlier version is migrated to the same tables as a new one";

const OF_GROUPS: ConformanceOptions = {
  fixture: {
    async create(edgehelm, owner, name) {
      const { nsDomainGroupId } = await edgehelm.call(owner, NSDomainGroupService.method.createNSDomainGroup, { name });
      return { nsDomainGroupId };
    },
    requests: { updateNSDomainGroup: { name: "changed" } },
  },
};
const OF_BROWSERS: ConformanceOptions = {
  fixture: {
    async create(edgehelm, owner, name) {
      const { createFormalClientBrowser } = FormalClientBrowserService.method;
      const { formalClientBrowserId } = await edgehelm.call(owner, createFormalClientBrowser, {
        name,
        codes: [name],
        dataId: name,
      });
      return { formalClientBrowserId };
    },
  },
};

/** Runs one of the checks and returns its error, or an empty text. */
async function errorOf(check: string, plugin: Plugin, options: ConformanceOptions): Promise<string> {
  const { run } = pluginConformance(plugin, options).find(({ name }) => name === check)!;
  return await run().then(() => "", ({ message }: Error) => message);
}

/** Groups that everybody may read and change. */
function openGroups(): Plugin {
  const names = new Map<bigint, string>();
  const rows = () => [...names].map(([id, name]) => ({ id, name }));
  return definePlugin({
    manifest: { ...groups.manifest, tables: [] },
    setup: ({ serve }) =>
      serve(NSDomainGroupService, {
        createNSDomainGroup({ name }) {
          names.set(BigInt(names.size + 1), name);
          return { nsDomainGroupId: BigInt(names.size) };
        },
        updateNSDomainGroup: ({ nsDomainGroupId: id, name }) => {
          if (names.has(id)) names.set(id, name);
          else throw new Error("not there");
          return {};
        },
        deleteNSDomainGroup: () => ({}),
        findAllNSDomainGroups: () => ({ nsDomainGroups: rows() }),
        countAllAvailableNSDomainGroups: () => ({ count: 0n }),
        findAllAvailableNSDomainGroups: () => ({}),
        findNSDomainGroup: ({ nsDomainGroupId: id }) => ({ nsDomainGroup: rows().find((row) => row.id === id) }),
      }),
  });
}

describe("ownership", () => {
  test("names operations that reach what another user owns", async () => {
    const error = await errorOf(OWNERSHIP, openGroups(), OF_GROUPS);
    expect(error).toContain("NSDomainGroupService.updateNSDomainGroup: another user's object must be as if it did not");
    expect(error).toContain("NSDomainGroupService.findAllNSDomainGroups tells a user what another user owns");
    expect(error).toContain("NSDomainGroupService.findNSDomainGroup tells a user what another user owns");
    expect(error).not.toContain("deleteNSDomainGroup");
  });

  test("wants a fixture for each reference to an object", async () => {
    const error = await errorOf(OWNERSHIP, groups, {});
    expect(error).toContain("updateNSDomainGroup: no fixture has the field nsDomainGroupId");
  });
});

describe("paging", () => {
  test("finds nothing in a list of a plugin of this repository", async () => {
    expect(await errorOf(PAGING, browsers, OF_BROWSERS)).toBe("");
  });

  test("names lists whose pages differ, or whose pages cannot exist", async () => {
    const names: string[] = [];
    const plugin = definePlugin({
      manifest: { ...browsers.manifest, tables: [] },
      setup: ({ serve }) =>
        serve(FormalClientBrowserService, {
          createFormalClientBrowser: ({ name }) => ({ formalClientBrowserId: BigInt(names.push(name)) }),
          countFormalClientBrowsers: () => ({ count: BigInt(names.length) }),
          listFormalClientBrowsers: ({ size }) => ({
            formalClientBrowsers: names.slice(0, Math.max(0, Number(size))).map((name) => ({ name })),
          }),
          updateFormalClientBrowser: () => ({}),
          findFormalClientBrowserWithDataId: () => ({}),
        }),
    });
    const error = await errorOf(PAGING, plugin, OF_BROWSERS);
    expect(error).toContain("FormalClientBrowserService.listFormalClientBrowsers: its pages of 2 contain 8 objects");
    expect(error).toContain("listFormalClientBrowsers with offset -1 and size 10: got 200");
  });

  test("wants a fixture for a plugin with lists", async () => {
    expect(await errorOf(PAGING, browsers, {})).toContain("listFormalClientBrowsers: there is no fixture");
  });
});

test("migrations that depend on more than the database are named", async () => {
  let runs = 0;
  const plugin = definePlugin({
    manifest: { name: "things", version: "1.0.0", kernel: "^1", services: [], tables: ["things"] },
    migrations: {
      "0001_create": { up: async (db) => void await sql`create table things (id integer) strict`.execute(db) },
      "0002_add": {
        up: async (db) => void await sql.raw(`alter table things add column extra${runs++} integer`).execute(db),
      },
    },
    setup() {},
  });
  expect(await errorOf(MIGRATIONS, plugin, {})).toContain("a database after 0001_create becomes another one");
});
