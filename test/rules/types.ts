// Checked by `deno check`, never run: each line below a "@ts-expect-error" must be a type error.
import { type Call, type Contract, type Db, defineContract, defineErrors, definePlugin, type Handlers } from "edgehelm";
import type { Generated } from "kysely";
import manifest from "../../plugins/hello_world/plugin.json" with { type: "json" };
import type { HelloWorldService } from "../../plugins/hello_world/proto/service_hello_world_pb.ts";

interface Plans {
  quota(call: Call, userId: bigint): Promise<number>;
}
const Plans: Contract<Plans> = defineContract("plan");

interface Tables {
  things: { id: Generated<bigint>; name: string };
}

const errors = defineErrors("things", { taken: ["conflict", (name: string) => `thing "${name}" already exists`] });

// @ts-expect-error a handler is missing
export const missingHandler: Handlers<typeof HelloWorldService> = {};

export const unknownHandler: Handlers<typeof HelloWorldService> = {
  sayHello: () => ({ result: "" }),
  // @ts-expect-error the service has no such method
  sayGoodbye: () => ({}),
};

export const unknownField: Handlers<typeof HelloWorldService> = {
  // @ts-expect-error the response has no such field
  sayHello: () => ({ greeting: "" }),
};

// @ts-expect-error the error takes a text
export const wrongError = () => errors.taken(7n);

// @ts-expect-error there is no such error
export const unknownError = () => errors.gone("x");

definePlugin({
  manifest,
  requires: { plans: Plans },
  setup({ deps }) {
    const plans: Plans = deps.plans;
    // @ts-expect-error the dependency is not declared
    return void [plans, deps.users];
  },
});

export function queries(db: Db<Tables>, call: Call) {
  // @ts-expect-error there is no such table
  db.query((q) => q.selectFrom("other").selectAll());
  // @ts-expect-error there is no such column
  db.query((q) => q.selectFrom("things").select("colour"));
  const byName = db.query((q, p: { name: string }) => q.selectFrom("things").selectAll().where("name", "=", p.name));
  // @ts-expect-error the value is a text
  return byName.first(call, { name: 7n });
}
