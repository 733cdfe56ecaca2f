import { type Call, type Clock, definePlugin, type Plugin, unixSeconds } from "edgehelm";
import { AccessTokens, AdminDirectories, CredentialSources, type IssuedToken, type TokenRole } from "edgehelm/auth";
import { FirstStart, ServedApi } from "edgehelm/runtime";
import { Admins } from "../../plugins/admin/contract.ts";
import { CallError } from "./call_error.ts";
import type { TestCaller } from "./caller.ts";

const ROLES: readonly TokenRole[] = ["admin", "user", "dns", "node", "report"];

/** Creates the admin with id 1, unless another plugin does at the first start of the installation. */
export const firstAdminPlugin: Plugin = definePlugin({
  manifest: {
    name: "test_first_admin",
    version: "1.0.0",
    kernel: "^1",
    services: [],
    tables: [],
    contributes: ["kernel.first_start"],
  },
  requires: { admins: Admins },
  setup({ deps: { admins }, contribute }) {
    contribute(FirstStart, {
      async run(call) {
        if (await admins.idOf(call, "admin") === undefined) await admins.createWithoutPassword(call, "admin");
        return [];
      },
    });
  },
});

/** Issues real access tokens to test callers, as a plugin with its own credentials would. */
export class TestCredentials {
  #tokens: AccessTokens | undefined;
  #api: ServedApi | undefined;
  #clock: Clock | undefined;
  readonly #issued = new Map<string, IssuedToken>();

  readonly #admins: Readonly<Record<string, readonly string[]>> | undefined;

  /** The description of the API of the kernel that runs the plugin. */
  get api(): ServedApi {
    return this.#api!;
  }

  /** @param admins the modules of admins who are not super admins, by id */
  constructor(admins?: Readonly<Record<string, readonly string[]>>) {
    this.#admins = admins;
  }

  readonly plugin: Plugin = definePlugin({
    manifest: {
      name: "test_credentials",
      version: "1.0.0",
      kernel: "^1",
      services: [],
      tables: [],
      contributes: ["kernel.admin_directories", "kernel.credential_sources"],
    },
    requires: { tokens: AccessTokens, api: ServedApi },
    setup: ({ deps, clock, contribute }) => {
      this.#tokens = deps.tokens;
      this.#api = deps.api;
      this.#clock = clock;
      const admins = this.#admins;
      if (admins !== undefined) {
        contribute(AdminDirectories, {
          access: (_call, id) =>
            Promise.resolve({ isSuper: admins[String(id)] === undefined, modules: admins[String(id)] ?? [] }),
        });
      }
      contribute(CredentialSources, {
        name: "test_credentials",
        roles: ROLES,
        verify: (_call, role, keyId) => {
          const [keyRole, id] = keyId.split(":");
          return Promise.resolve(keyRole === role ? { subjectId: BigInt(id!), keyId: 1n } : undefined);
        },
        isLive: () => Promise.resolve(true),
      });
    },
  });

  /** Returns a token of the caller, or undefined for an anonymous one. */
  async token(call: Call, { role, id }: TestCaller): Promise<string | undefined> {
    if (role === "anonymous") return undefined;
    const key = `${role}:${id}`;
    let issued = this.#issued.get(key);
    if (issued === undefined || issued.expiresAt <= unixSeconds(this.#clock!)) {
      issued = await this.#tokens!.issue(call, role, key, "");
      this.#issued.set(key, issued);
    }
    return issued.token;
  }

  /** Runs a call again with a new token if the caller's has ended: test callers do not end with their tokens. */
  async retryIfEnded<Result>({ role, id }: TestCaller, run: () => Promise<Result>): Promise<Result> {
    try {
      return await run();
    } catch (error) {
      const hasEnded = error instanceof CallError && error.reason === "kernel.token_invalid";
      if (!hasEnded || !this.#issued.delete(`${role}:${id}`)) throw error;
      // A caller who gets no new token stays refused.
      return await run().catch((again) => Promise.reject(again instanceof CallError ? again : error));
    }
  }
}
