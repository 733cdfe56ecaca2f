import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { firstParty } from "../../matrix/plugins.ts";
import { root } from "../generated.ts";

test.each(firstParty.map(({ manifest }) => manifest))(
  "plugin.json of $name describes it as its README does",
  (manifest) => {
    const readme = readFileSync(`${root}plugins/${manifest.name}/README.md`, "utf8");
    const [, name = ""] = /## Name\s+([^]*?)\n\n## /.exec(readme)!;
    const text = name.replace(/\s+/g, " ").trim().replace(/^`\w+`:? /, "").replace(/\[(\w+)\]\([^)]*\)/g, "$1")
      .replaceAll("`", "");
    expect(manifest.description).toBe(text.charAt(0).toUpperCase() + text.slice(1));
  },
);
