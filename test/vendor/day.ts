import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { ANY_PORTS, CHOSEN_KEY, KEY, Server, THIS_RUNTIME } from "../harness/server.ts";
import type { Workshop } from "./workshop.ts";

const CONFIG = `syntax = "proto3";

package PLUGIN;

// The settings of the plugin.
message Config {
  // The word in front of a name, at most 20 characters.
  string word = 1;
}
`;
const DENO = THIS_RUNTIME[0]!.endsWith("deno") ? THIS_RUNTIME[0]! : "npx --yes deno@2.9.6";
const CHECKED = "ok  every operation permits exactly the roles";

/** Tests the way of a vendor, from an empty folder to a published plugin in an installation. */
export function dayTests(opened: () => Workshop): void {
  let workshop: Workshop;
  let home: string;
  beforeAll(async () => {
    workshop = opened();
    home = await workshop.empty("home");
  });

  async function succeed(at: string, line: string, node?: "22" | "24"): Promise<string> {
    const { code, output } = await workshop.run(at, line, node);
    if (code !== 0) throw new Error(`${line} ended with code ${code}: ${output}`);
    return output;
  }

  describe.each([["@acme/thing", "thing"], ["other-thing", "other_thing"]])("%s", (target, plugin) => {
    let folder: string;
    beforeAll(async () => {
      await succeed(home, `npx --yes edgehelm plugin new ${target}`);
      folder = join(home, target.split("/").at(-1)!);
      writeFileSync(join(folder, ".npmrc"), workshop.registry.npmrc);
      // a proto file that the new plugin has not got
      writeFileSync(join(folder, "proto/config.proto"), CONFIG.replace("PLUGIN", plugin));
      cpSync(folder, `${folder}_deno`, { recursive: true });
      await succeed(folder, "npm install");
    });

    test.each(["22", "24"] as const)("its scripts pass on Node %s", async (node) => {
      const generated = join(folder, "proto/config_pb.ts");
      rmSync(generated, { force: true });
      const service = join(folder, `proto/service_${plugin}_pb.ts`);
      const before = readFileSync(service, "utf8");
      await succeed(folder, "npm run gen", node);
      expect(existsSync(generated)).toBe(true);
      expect(readFileSync(service, "utf8")).toBe(before);
      expect(await succeed(folder, "npm run check", node)).toContain(CHECKED);
      expect(await succeed(folder, "npm test", node)).toContain("pass 3");
    });

    test.each([["Node", "npm run dev"], ["Deno", `${DENO} task dev`]])(
      "a save is live in dev on %s",
      async (_name, dev) => {
        const at = dev.startsWith("npm") ? folder : `${folder}_deno`;
        if (at !== folder) await succeed(at, `${DENO} install --minimum-dependency-age=0`);
        expect(await succeed(at, devScript(dev))).toMatch(/ok\n.*ended/s);
      },
    );

    test("its scripts pass on Deno", async () => {
      const at = `${folder}_deno`;
      await succeed(at, `${DENO} install --minimum-dependency-age=0`);
      await succeed(at, `${DENO} task gen`);
      expect(existsSync(join(at, "proto/config_pb.ts"))).toBe(true);
      expect(await succeed(at, `${DENO} task check`)).toContain(CHECKED);
      expect(await succeed(at, `${DENO} task test`)).toContain("3 passed");
    });
  });

  test("a published plugin is added from the registry and appears everywhere", async () => {
    const folder = join(home, "thing");
    await succeed(folder, "npm run pack && npm publish ./dist");
    expect(JSON.parse(readFileSync(join(folder, "dist/package.json"), "utf8"))).toMatchObject({ name: "@acme/thing" });
    const at = await workshop.empty("installation");
    await succeed(at, "npm init -y > /dev/null && npm install edgehelm @acme/thing");
    const login = ["admin", "api_access_token", "user_access_key", "openapi"].map((use) => ({ use }));
    writeFileSync(join(at, "manifest.json"), JSON.stringify({ plugins: login }));
    const environment = { EDGEHELM_MANIFEST: join(at, "manifest.json"), EDGEHELM_DATA: join(at, "data") };
    const settings = Object.entries(environment).map((pair) => pair.join("=")).join(" ");
    const added = await succeed(at, `${settings} npx edgehelm plugin add npm:@acme/thing@^0.1.0`);
    expect(added).toContain("added thing 0.1.0");

    const main = join(at, "node_modules/edgehelm/core/host/cli/main.js");
    const server = await Server.start({ ...environment, ...ANY_PORTS, ...CHOSEN_KEY }, THIS_RUNTIME, main);
    try {
      const { data } = await server.post("/ThingService/greet", { name: "Ada" });
      expect(data).toEqual({ text: "hello, Ada, you are admin" });
      const document = await (await fetch(`${server.url}/openapi.json`)).text();
      expect(JSON.parse(document).paths).toHaveProperty("/ThingService/greet");
      expect(document).toContain("Returns a greeting with the name in it.");
      const buf = join(folder, "node_modules/.bin/buf");
      const methods = `${buf} curl --protocol grpc --http2-prior-knowledge --list-methods ${server.grpcUrl}`;
      expect(await succeed(at, methods)).toContain("thing.ThingService/greet");
      writeFileSync(join(at, "client.mjs"), clientText(server.url, await server.adminToken()));
      expect(await succeed(at, "node client.mjs")).toBe("hello, Bob, you are admin\n");
      writeFileSync(join(at, "secret"), KEY.secret);
      const person = `XDG_CONFIG_HOME=${at}/config XDG_CACHE_HOME=${at}/cache`;
      await succeed(at, `${person} npx edgehelm login --url ${server.url} --id ${KEY.id} --secret @secret`);
      expect(await succeed(at, `${person} npx edgehelm thing greet --name Eve`)).toContain("hello, Eve, you are admin");
    } finally {
      await server.stop();
    }
  });
}

/** Starts the script dev, breaks and mends a file, and ends it. */
function devScript(dev: string): string {
  return `set -em
export EDGEHELM_HTTP_PORT=0 EDGEHELM_GRPC_PORT=0 EDGEHELM_METRICS_PORT=0
trap 'cat dev.log; kill $(jobs -p) 2> /dev/null' ERR
${dev} > dev.log 2>&1 &
until grep -q 'grpc: listening' dev.log; do kill -0 $!; sleep 0.2; done
url=$(sed -n 's/^http: listening on //p' dev.log)
cp handlers.ts handlers.bak
echo 'const broken = ;' >> handlers.ts
until grep -q 'not reloaded' dev.log; do sleep 0.2; done
curl -sf $url/readyz
mv handlers.bak handlers.ts
until grep -q '^reloaded' dev.log; do sleep 0.2; done
kill %1
wait %1 || true
if curl -s $url/livez; then exit 1; fi
rm -r data dev.log
echo ended
`;
}

function clientText(url: string, token: string): string {
  return `import { createClient } from "edgehelm/client";
import { ThingService } from "./node_modules/@acme/thing/proto/service_thing_pb.js";
const client = createClient({ baseUrl: ${JSON.stringify(url)}, token: () => Promise.resolve(${
    JSON.stringify(token)
  }) });
console.log((await client.service(ThingService).greet({ name: "Bob" })).text);
`;
}
