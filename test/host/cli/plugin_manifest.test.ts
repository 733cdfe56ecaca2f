import { readFile, writeFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { installationDirectory, removeInstallation, runToEnd } from "../../harness/server.ts";

const LOGIN = ["admin", "api_access_token", "user_access_key"];

let installation: Record<string, string>;
beforeEach(async () => {
  installation = await installationDirectory([...LOGIN, "ns_cluster"]);
});
afterEach(() => removeInstallation(installation));

async function plugin(...args: string[]) {
  return await runToEnd(["plugin", ...args], installation);
}

async function enabled(): Promise<string[]> {
  const { plugins } = JSON.parse(await readFile(installation.EDGEHELM_MANIFEST!, "utf8"));
  return plugins.map(({ use }: { use: string }) => use);
}

describe("the list of plugins in the manifest", () => {
  test("grows, shrinks and returns in its order", async () => {
    const added = await plugin("add", "ns_domain", "--config", '{"resolvers": ["192.0.2.1"]}');
    expect(added).toMatchObject({
      code: 0,
      output: expect.stringContaining("added ns_domain 1.0.0; tables: nsDomains"),
    });
    expect(await enabled()).toEqual([...LOGIN, "ns_cluster", "ns_domain"]);
    expect(JSON.parse(await readFile(installation.EDGEHELM_MANIFEST!, "utf8")).plugins.at(-1).config)
      .toEqual({ resolvers: ["192.0.2.1"] });
    expect((await plugin("remove", "ns_domain")).output).toContain("its tables are kept: nsDomains");
    expect(await enabled()).toEqual([...LOGIN, "ns_cluster"]);
    expect((await plugin("undo")).code).toBe(0);
    expect(await enabled()).toEqual([...LOGIN, "ns_cluster", "ns_domain"]);
    expect((await plugin("undo")).code).toBe(0);
    expect(await enabled()).toEqual([...LOGIN, "ns_cluster"]);
  });

  test("stays as it is when the installation would not start", async () => {
    await plugin("add", "ns_domain");
    const before = await readFile(installation.EDGEHELM_MANIFEST!, "utf8");
    for (
      const [args, text] of [
        [["add", "ns_domain"], "is already in the manifest"],
        [["add", "not_there"], '"not_there" is not a plugin'],
        [["add", "ns_record", "--config", "{"], "--config: "],
        [["add", "ns_record", "--config", "7"], "--config: must be a JSON object, got 7"],
        [["add", "ns_record", "--config", '{"unknown": 1}'], "ns_record"],
        [["remove", "ns_cluster"], 'plugin "ns_domain" requires contract "ns_cluster"'],
        [["remove", "user_access_key"], "no caller could sign in"],
        [["remove", "ns_record"], 'plugin "ns_record" is not enabled'],
      ] as const
    ) {
      const { code, output } = await plugin(...args);
      expect(output).toContain(text);
      expect(code).toBe(78);
    }
    expect(await readFile(installation.EDGEHELM_MANIFEST!, "utf8")).toBe(before);
  });

  test("keeps a disabled plugin with its settings and its place, and enables it again", async () => {
    await plugin("add", "ns_domain", "--config", '{"resolvers": ["192.0.2.1"]}');
    await plugin("add", "ns_route");
    const before = await readFile(installation.EDGEHELM_MANIFEST!, "utf8");
    expect((await plugin("disable", "ns_domain")).output).toContain(
      "disabled ns_domain; its tables are kept: nsDomains",
    );
    expect(await enabled()).toEqual([...LOGIN, "ns_cluster", "ns_domain", "ns_route"]);
    const { output } = await plugin("list");
    expect(output).toContain("ns_domain 1.0.0; disabled; built-in; tables: nsDomains");
    expect(output).not.toContain("NSDomainService");
    expect((await plugin("disable", "ns_domain")).output).toContain('plugin "ns_domain" is not enabled');
    expect((await plugin("remove", "ns_route")).output).toContain("removed ns_route");
    expect((await plugin("enable", "ns_route")).output).toContain("disabled plugins: ns_domain");
    await plugin("add", "ns_route");
    expect((await plugin("enable", "ns_domain")).code).toBe(0);
    expect(await readFile(installation.EDGEHELM_MANIFEST!, "utf8")).toBe(before);
  });

  test("refuses to disable what others require", async () => {
    await plugin("add", "ns_domain");
    expect((await plugin("disable", "ns_cluster")).output).toContain(
      'plugin "ns_domain" requires contract "ns_cluster"',
    );
  });

  test("says why a plugin is there", async () => {
    await plugin("add", "ns_domain");
    const { output } = await plugin("why", "ns_cluster");
    expect(output).toContain("required by: ns_domain");
    expect((await plugin("why", "ns_domain")).output).toContain("requires: ns_cluster");
  });

  test("is listed for other programs, too", async () => {
    await plugin("disable", "ns_cluster");
    const { plugins } = JSON.parse((await plugin("list", "--output", "json")).output);
    expect(plugins.at(-1)).toEqual({
      ...{ use: "ns_cluster", source: "built-in", state: "disabled", name: "ns_cluster", version: "1.0.0" },
      tables: ["nsClusters", "nsClusterSSLPolicies"],
    });
    expect(plugins[0]).toMatchObject({ use: "admin", state: "enabled", name: "admin", tables: ["admins"] });
    expect(plugins[0].services[0].operations[0]).toMatchObject({ path: expect.stringMatching(/^\/AdminService\//) });
    expect(plugins[0]).not.toHaveProperty("rows");
    await runToEnd(["migrate"], installation);
    const [admin] = JSON.parse((await plugin("list", "-o", "json")).output).plugins;
    expect(admin).toMatchObject({ version: "1.0.0", rows: { admins: 1 } });
  });

  test("is not lost when an undo is cut off between its steps", async () => {
    const path = installation.EDGEHELM_MANIFEST!;
    await plugin("add", "ns_domain");
    const [before, after] = [await readFile(`${path}.previous`, "utf8"), await readFile(path, "utf8")];
    await writeFile(`${path}.undone`, after);
    await writeFile(path, before);
    await plugin("undo");
    expect(await readFile(path, "utf8")).toBe(after);
    expect(await readFile(`${path}.previous`, "utf8")).toBe(before);
  });

  test("has nothing to undo at first", async () => {
    expect(await plugin("undo")).toMatchObject({ code: 78, output: expect.stringContaining("no earlier list") });
    await writeFile(`${installation.EDGEHELM_MANIFEST!}.previous`, '{"plugins": 7}');
    expect((await plugin("undo")).code).toBe(78);
  });
});
