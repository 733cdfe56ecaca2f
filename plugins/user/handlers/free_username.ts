import { type Call, mayAccessOwner } from "edgehelm";
import { errors } from "../errors.ts";
import type { Deps } from "./deps.ts";

/**
 * Refuses a username that another user has. A user learns this only as often as a wrong password may be tried: otherwise
 * any user could find out which usernames exist. It must run outside a transaction, because failures are counted.
 */
export async function requireFreeUsername(
  { users, attempts }: Pick<Deps, "users" | "attempts">,
  call: Call,
  userId: bigint,
  username: string,
): Promise<void> {
  if (mayAccessOwner(call.caller, 0n)) return;
  const isFree = await attempts.guard(call, `usernames tried by user ${userId}`, async () => {
    const other = await users.byUsername.first(call, { username });
    return other === undefined || other.id === userId ? true : undefined;
  });
  if (isFree === undefined) throw errors.username_taken(username);
}
