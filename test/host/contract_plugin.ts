import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const HELLO_WORLD = fileURLToPath(new URL("../../plugins/hello_world", import.meta.url));

/** The response of the plugin, with the username that it reads through the contract of another plugin. */
export const GREETING = "hello, Ada, from admin 1 in AdminService";

/**
 * Writes a third-party plugin that uses the contract and the messages of a plugin of the project.
 *
 * @param folder the new folder of the plugin
 */
export async function writeContractPlugin(folder: string): Promise<void> {
  await cp(HELLO_WORLD, folder, { recursive: true });
  await writeFile(join(folder, "plugin.ts"), PLUGIN);
}

const PLUGIN = `import { definePlugin, type Plugin } from "edgehelm";
import { Admins } from "edgehelm/plugins/admin/contract.js";
import { AdminService } from "edgehelm/plugins/admin/proto/service_admin_pb.js";
import manifest from "./plugin.json" with { type: "json" };
import { HelloWorldService } from "./proto/service_hello_world_pb.ts";

const plugin: Plugin = definePlugin({
  manifest,
  requires: { admins: Admins },
  setup({ serve, deps: { admins } }) {
    serve(HelloWorldService, {
      async sayHello({ name }, call) {
        const names = await admins.names(call, [1n]);
        const { name: service } = AdminService;
        return { result: \`hello, \${name}, from \${names.get(1n)?.username} \${[...names.keys()][0]} in \${service}\` };
      },
    });
  },
});
export default plugin;
`;
