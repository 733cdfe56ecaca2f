import { type Contract, defineContract, type Plugin } from "edgehelm";
import { CredentialSources, TokenEndings } from "edgehelm/auth";
import { Commands } from "edgehelm/runtime";
import { testKernel } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { StartupError } from "../../../core/base/startup_error.ts";
import { BootConfigSchema, InvalidService, ValidService } from "../../fixtures/boot/boot_pb.ts";
import { plugin } from "./rig.ts";

async function startupErrors(
  plugins: readonly Plugin[],
  config: Record<string, never> = {},
): Promise<readonly string[]> {
  const error = await testKernel({ plugins, config }).then((kernel) => kernel.stop(), (reason) => reason);
  expect(error).toBeInstanceOf(StartupError);
  return (error as StartupError).errors;
}

function undeclared(name: string, what: string, key: string): string {
  return `plugin "${name}" ${what}, which plugin.json does not declare: add it to "${key}", if it may do so`;
}

describe("boot reports all errors together", () => {
  test("of the checks before any plugin runs", async () => {
    const missing: Contract<object> = defineContract("absent");
    const first: Contract<object> = defineContract("cycle_first");
    const second: Contract<object> = defineContract("cycle_second");
    const errors = await startupErrors([
      plugin("first", { more: { services: ["ValidService"], tables: ["things"] } }),
      plugin("second", { more: { services: ["ValidService"], tables: ["things", "kernel_audit"] } }),
      plugin("too_new", { more: { kernel: "^9" } }),
      plugin("misspelt", { more: { servces: [] } }),
      plugin("lonely", { requires: { missing } }),
      plugin("cycle_first", { requires: { second } }),
      plugin("cycle_second", { requires: { first } }),
      plugin("older", { more: { requires: { first: "^2", absent: "^1", second: "soon" } } }),
      plugin("configured", { config: BootConfigSchema }),
      plugin("searching", { more: { tables: ["words"] } }),
      plugin("reading", { more: { tables: ["Words_data"] } }),
      plugin("naming", {
        more: { modules: [{ code: "common" }, { code: "A-b" }, { code: "twice" }, { code: "twice" }] },
      }),
      plugin("sharing", { more: { modules: [{ code: "shared", name: "Shared" }] } }),
      plugin("renaming", { more: { modules: [{ code: "shared", name: "Split" }] } }),
    ], { configured: { nonsense: 1 } as never });
    const all = errors.join("\n");
    for (
      const expected of [
        'service "ValidService" belongs to plugin "first" and to plugin "second"',
        'table "things" belongs to plugin "first" and to plugin "second"',
        'plugin "too_new" requires kernel ^9, but this is kernel 1.0.0',
        'plugin "older" requires plugin "first" ^2, but version 1.0.0 is enabled',
        'plugin.json: requires.second: "soon" is not a range of semantic versions',
        'plugin "reading": the table "Words_data" may hold the full text search of "Words", which belongs to plugin "searching"',
        "servces",
        'plugin "naming": the module "common" is reserved: every admin has it',
        'plugin "naming": the module "A-b" must be snake_case',
        'plugin "naming": the module "twice" is declared twice',
        'plugin "renaming": the module "shared" is named "Split", but plugin "sharing" names it "Shared"',
        'plugin "lonely" requires contract "absent", which no enabled plugin provides',
        "plugins require each other in a cycle: cycle_first -> cycle_second -> cycle_first",
        "plugin configured.config.nonsense",
      ]
    ) expect(all).toContain(expected);
    expect(all).not.toContain('plugin "absent"');
  });

  test("of the setup of plugins", async () => {
    const errors = await startupErrors([
      plugin("invalid", {
        more: { services: ["ValidService", "InvalidService"] },
        setup: ({ serve }) => serve(InvalidService, {} as never),
      }),
      plugin("unlisted", { setup: ({ serve }) => serve(ValidService, { idle: () => ({}) }) }),
      plugin("throwing", {
        setup() {
          throw new Error("setup error");
        },
      }),
    ]);
    const all = errors.join("\n");
    for (
      const expected of [
        "InvalidService.undeclared declares no roles",
        "InvalidService.withoutEffect declares no effect",
        "InvalidService.writingStream is a stream and must declare the effect EXTERNAL",
        'InvalidService.undeclaredModule lists the module "nowhere", which plugin.json does not declare',
        "InvalidService.moduleWithoutAdmins lists modules, but admins may not call it",
        "has no handler",
        'lists the service "ValidService" but does not serve it',
        "the service ValidService is not listed in plugin.json",
        "setup error",
      ]
    ) expect(all).toContain(expected);
  });

  test("of parts that plugin.json does not declare", async () => {
    const impostor = plugin("impostor", {
      more: { contributes: ["kernel.commands"], routes: ["/own", "/below/*"] },
      setup({ contribute, route, receive }) {
        const command = { name: "own", usage: "own", run: () => Promise.resolve([]) };
        contribute(Commands, command);
        for (const path of ["/own", "/below/a", "/below/a/b"]) route(path, () => new Response());
        contribute(CredentialSources, {
          roles: new Set(["admin"] as const),
          find: () => Promise.resolve(undefined),
        } as never);
        for (const path of ["/own/more", "/below"]) route(path, () => new Response());
        receive("/hooks", 1, () => new Response());
      },
    });
    const silent = plugin("silent", { setup: ({ contribute }) => contribute(TokenEndings, { ended: async () => {} }) });
    expect(await startupErrors([impostor, silent])).toEqual([
      undeclared("impostor", 'contributes to "kernel.credential_sources"', "contributes"),
      undeclared("impostor", "serves /own/more", "routes"),
      undeclared("impostor", "serves /below", "routes"),
      undeclared("impostor", "serves /hooks", "routes"),
      undeclared("silent", 'contributes to "kernel.token_endings"', "contributes"),
    ]);
    const malformed = plugin("malformed", { more: { contributes: ["commands"], routes: ["own", "/*/x", "/a b"] } });
    const errors = (await startupErrors([malformed])).map((error) => error.split(": ").slice(2).join(": "));
    expect(errors).toEqual([
      'contributes: "commands" must be the id of an extension point, such as "plan.uses"',
      ...["own", "/*/x", "/a b"].map((route) =>
        `routes: "${route}" must be a path, such as "/explorer", or all paths below one, "/explorer/*"`
      ),
    ]);
  });

  test("of the start of plugins, which does not begin if the setup of one fails", async () => {
    const stopped: string[] = [];
    const failing = (name: string) =>
      plugin(name, {
        setup({ onStart, onStop }) {
          onStop(async () => void stopped.push(name));
          onStart(() => Promise.reject(new Error(`${name} cannot start`)));
        },
      });
    const throwing = plugin("throwing", {
      setup() {
        throw new Error("setup error");
      },
    });
    expect(await startupErrors([failing("first"), failing("second")])).toEqual([
      'plugin "first" failed to set up: first cannot start',
      'plugin "second" failed to set up: second cannot start',
    ]);
    expect(stopped).toEqual(["second", "first"]);
    expect(await startupErrors([failing("first"), throwing])).toEqual([
      'plugin "throwing" failed to set up: setup error',
    ]);
  });
});
