import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { pluginCommand } from "../../../core/host/cli/plugin_command.ts";
import { scaffold } from "../../../core/host/vendor/plugin_scaffold.ts";
import project from "../../../package.json" with { type: "json" };

const folder = mkdtempSync(join(tmpdir(), "edgehelm-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("plugin new makes the folders above the plugin", async () => {
  const created = join(folder, "a", "b", "my_plugin");
  const [line] = await pluginCommand(["new", created]);
  expect(line).toBe(`created plugin my_plugin in ${created}`);
  expect(existsSync(join(created, "plugin.ts"))).toBe(true);
});

test("plugin new takes the scoped name of a package, whose tools have the versions of this project", async () => {
  const files = scaffold("thing", "@acme/thing");
  const { name, devDependencies } = JSON.parse(files["package.json"]!);
  expect(name).toBe("@acme/thing");
  expect(JSON.parse(files["dev.json"]!).plugins).toContainEqual({ use: "./" });
  const versions: Record<string, string> = { ...project.dependencies, ...project.devDependencies };
  for (const [tool, version] of Object.entries(devDependencies)) {
    expect([tool, version]).toEqual([tool, tool === "edgehelm" ? `^${project.version}` : versions[tool]]);
  }
  await expect(pluginCommand(["new", "@acme/Not A Name"])).rejects.toMatchObject({ name: "StartupError" });
});

test("plugin new names a folder that exists, and one that cannot be made", async () => {
  const existing = join(folder, "existing_plugin");
  await pluginCommand(["new", existing]);
  await expect(pluginCommand(["new", existing])).rejects.toMatchObject({
    name: "StartupError",
    message: `the plugin folder ${existing} could not be made: it exists already`,
  });
  writeFileSync(join(folder, "file"), "");
  await expect(pluginCommand(["new", join(folder, "file", "my_plugin")])).rejects.toMatchObject({
    name: "StartupError",
    message: expect.stringContaining("could not be made"),
  });
});
