import type { JSX } from "preact";
import { callPath } from "../../shell/call.ts";
import { linkTo } from "../../shell/route.ts";
import { isListed, mayCall } from "../../shell/state.ts";
import { useLoaded } from "../loaded.ts";

/** A user, as bills and orders contain it. */
export interface NamedUser {
  readonly id: bigint;
  readonly username: string;
  readonly fullname: string;
  readonly isDeleted?: boolean;
}

/** Returns the name of a user; one who was deleted has only the id. */
export function userName(user: NamedUser | undefined, id: bigint = user?.id ?? 0n): string {
  return user?.fullname || user?.username || `#${id}`;
}

/** The name of a user, which leads to their page if the reader may see it. */
export function UserLink({ user, id }: { user: NamedUser | undefined; id?: bigint }): JSX.Element {
  const name = userName(user, id);
  if (user === undefined || user.isDeleted || !isListed("User")) return <>{name}</>;
  return <a class="link" href={linkTo(["resource", "User", user.id])}>{name}</a>;
}

const FIND = "UserService/findEnabledUser";
const found = new Map<bigint, Promise<NamedUser | undefined>>();

/** The name of a user of whom only the id is known; it is asked for once. */
export function UserById({ id }: { id: bigint }): JSX.Element {
  const user = useLoaded(() => nameOf(id), [id]);
  return <UserLink user={user.value} id={id} />;
}

function nameOf(id: bigint): Promise<NamedUser | undefined> {
  if (!mayCall(FIND)) return Promise.resolve(undefined);
  const known = found.get(id) ??
    callPath(FIND, { userId: id }).then(({ user }) => user as NamedUser | undefined).catch(() => {
      found.delete(id);
      return undefined;
    });
  found.set(id, known);
  return known;
}
