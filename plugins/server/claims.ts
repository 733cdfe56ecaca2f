import { type Call, mayAccessOwner } from "edgehelm";
import { registrableName } from "edgehelm/fields";
import { errors } from "./errors.ts";
import { baseName, reversedName, wildcardsFor } from "./names.ts";
import type { ServerRow } from "./store.ts";
import type { NameStore } from "./store_names.ts";

/** The server that a name is for; id 0 for a new one. */
export type Claimant = Pick<ServerRow, "id" | "userId" | "nodeClusterId">;

/** A requested name, and the equal name or the wildcard of another server that keeps it from the requesting one. */
export interface Conflict {
  readonly name: string;
  readonly held: string;
  readonly serverId: bigint;
  readonly userId: bigint;
}

/** Decides which names a caller may give to a server, and keeps the names that admins forbid. */
export class NameClaims {
  readonly #names: NameStore;

  constructor(names: NameStore) {
    this.#names = names;
  }

  /** Returns the names that a user can claim only with a proof, because other users hold them or wildcards above them. */
  async heldByOthers(call: Call, server: Claimant, names: readonly string[]): Promise<string[]> {
    const conflicts = await this.#conflicts(call, server, names);
    return conflicts.filter((conflict) => isClaimable(call, server, conflict)).map(({ name }) => name);
  }

  /**
   * Refuses names that another server of the cluster has. For users it also refuses names that a wildcard of another owner
   * matches, and names that an admin has forbidden.
   *
   * @param proved the names, without their wildcards, that the user may take from other users
   * @returns the names to take, with the servers that have them
   */
  async require(
    call: Call,
    server: Claimant,
    names: readonly string[],
    field: string,
    proved: ReadonlySet<string> = new Set(),
  ): Promise<Conflict[]> {
    const conflicts = await this.#conflicts(call, server, names);
    for (const conflict of conflicts) {
      const { name, held } = conflict;
      if (proved.has(baseName(name)) && isClaimable(call, server, conflict)) continue;
      throw name === held ? errors.name_taken(field, name) : errors.name_matched(field, name, held);
    }
    if (!actsForInstallation(call)) await this.#requireAllowed(call, server.id, names, field);
    return conflicts.filter(({ name, held }) => name === held);
  }

  /** Keeps the names of a server from users, until an admin turns the server on or gives them to another one. */
  async forbid(call: Call, serverId: bigint, names: readonly string[]): Promise<void> {
    await this.#names.forbid.run(call, { serverId, reversedNames: names.map(reversedName) });
  }

  async allowOf(call: Call, serverId: bigint): Promise<void> {
    await this.#names.allowOf.run(call, { serverId });
  }

  /** Records that an admin gave the names to a server. */
  async given(call: Call, server: { readonly id: bigint; readonly isOffByAdmin: bigint }, names: readonly string[]) {
    if (!actsForInstallation(call)) return;
    if (server.isOffByAdmin === 1n) await this.forbid(call, server.id, names);
    else await this.#names.allow.run(call, { reversedNames: names.map(reversedName) });
  }

  /** Returns what keeps the names from the server: equal names of other servers and, for users, wildcards of others. */
  async #conflicts(call: Call, server: Claimant, names: readonly string[]): Promise<Conflict[]> {
    const isUser = !actsForInstallation(call);
    const wildcardsOf = new Map(names.map((name) => [name, isUser ? ownWildcardsFor(name) : []]));
    const candidates = [...names, ...[...wildcardsOf.values()].flat()];
    const held = await this.#names.holders.all(call, { nodeClusterId: server.nodeClusterId, names: candidates });
    return held.filter(({ serverId }) => serverId !== server.id).flatMap(({ name: heldName, ...holder }) => {
      if (wildcardsOf.has(heldName)) return [{ ...holder, name: heldName, held: heldName }];
      if (holder.userId === server.userId) return [];
      const matched = names.filter((name) => wildcardsOf.get(name)!.includes(heldName));
      return matched.map((name) => ({ ...holder, name, held: heldName }));
    });
  }

  async #requireAllowed(call: Call, exceptServerId: bigint, names: readonly string[], field: string): Promise<void> {
    const keys = names.flatMap((name) => [name, ...wildcardsFor(name)]).map(reversedName);
    const found = await this.#names.forbidden.first(call, { reversedNames: keys, exceptServerId });
    if (found !== undefined) throw errors.name_forbidden(field, reversedName(found.reversedName));
    for (const name of names) {
      const base = baseName(name);
      if (base === name) continue;
      const from = reversedName(base);
      // names below the base continue with a full stop, which a slash follows in ASCII
      const below =
        await this.#names.forbiddenBetween.first(call, { from: `${from}.`, to: `${from}/`, exceptServerId }) ??
          (name.startsWith("*")
            ? undefined
            : await this.#names.forbidden.first(call, { reversedNames: [from], exceptServerId }));
      if (below !== undefined) throw errors.name_forbidden(field, reversedName(below.reversedName));
    }
  }
}

/** Returns true if the caller may act for the installation: it may use any name, and lifts what admins forbade. */
export function actsForInstallation(call: Call): boolean {
  return mayAccessOwner(call.caller, 0n);
}

/** Returns true if a proof lets the caller have the name: names of the installation are given away only by admins. */
function isClaimable(call: Call, server: Claimant, { userId }: Conflict): boolean {
  return !actsForInstallation(call) && userId !== 0n && userId !== server.userId;
}

/** Returns the wildcards that match a name and that users can have: a catch-all of an admin keeps no name from users. */
function ownWildcardsFor(name: string): string[] {
  return wildcardsFor(name).filter((wildcard) => registrableName(baseName(wildcard)) !== undefined);
}
