import type { DefaultFlag } from "edgehelm";
import { declareFeed, declareList } from "edgehelm/storage";
import type { Generated, Selectable } from "kysely";
import type { Status } from "./rules.ts";

export interface Tables {
  nsDomains: {
    id: Generated<bigint>;
    nsClusterId: bigint;
    /** 0 if the domain belongs to the installation. */
    userId: bigint;
    name: string;
    isOn: DefaultFlag;
    /** 1 if an admin turned the domain off, and its owner cannot turn it on. */
    isOffByAdmin: DefaultFlag;
    status: Status;
    /** A JSON array. */
    groupIds: Generated<string>;
    tsigJSON: Uint8Array | null;
    recordsHealthCheckJSON: Uint8Array | null;
    /** A value that an earlier release generated, and its end. */
    verifyTXT: Generated<string>;
    verifyExpiresAt: Generated<bigint>;
    createdAt: bigint;
    version: bigint;
    state: Generated<bigint>;
  };
  /** The domains with data of other plugins that is still to follow them; triggers maintain it. */
  nsDomainFollowings: { nsDomainId: bigint; changes: bigint };
  /** The owners whose domains are still to be published again; `onlyIfNotServed` is 1 for those of an earlier release. */
  nsDomainOwnerChanges: { userId: bigint; changes: bigint; onlyIfNotServed: bigint };
  /** The last time at which a user wanted a domain that is verified for another owner. */
  nsDomainTransferAsks: { id: Generated<bigint>; nsDomainId: bigint; userId: bigint; askedAt: bigint };
  /** One row with the secret from which the values that verify domains are derived. */
  nsDomainSecrets: { id: bigint; verification: Uint8Array };
}

export type NSDomainRow = Selectable<Tables["nsDomains"]>;

export const domainList = declareList({
  table: "nsDomains",
  softDeletion: "state",
  scopes: ["userId", "nsClusterId"],
  links: { nsDomainGroupId: "groupIds" },
  choices: ["status"],
  search: ["name"],
  insertsInBulk: true,
});

export const domainFeed = declareFeed({
  table: "nsDomains",
  version: "version",
  scope: "nsClusterId",
  departures: "state",
});

export type NSDomainList = ReturnType<typeof domainList.open<Tables>>;
export type NSDomainFeed = ReturnType<typeof domainFeed.open<Tables>>;
