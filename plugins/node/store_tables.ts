import type { DefaultFlag } from "edgehelm";
import type { DefaultInt32, Int32 } from "edgehelm/storage";
import type { Generated, Selectable } from "kysely";

export interface Tables {
  nodes: {
    id: Generated<bigint>;
    uniqueId: string;
    /** The sealed secret, never stored in clear text. */
    secret: string;
    name: string;
    createdAt: bigint;
    isOn: DefaultFlag;
    isUp: DefaultFlag;
    isInstalled: DefaultFlag;
    nodeClusterId: bigint;
    /** 0 means none. */
    nodeRegionId: bigint;
    level: DefaultInt32;
    /** A JSON array. */
    lnAddrs: Generated<string>;
    enableIPLists: DefaultFlag;
    /** A JSON array. */
    dnsRoutes: Generated<string>;
    maxCPU: DefaultInt32;
    /** A JSON object; empty means none. */
    maxCacheDiskCapacity: Generated<string>;
    /** A JSON object; empty means none. */
    maxCacheMemoryCapacity: Generated<string>;
    cacheDiskDir: Generated<string>;
    cacheDiskSubDirsJSON: Generated<Uint8Array | null>;
    apiNodeAddrsJSON: Generated<Uint8Array | null>;
    ddosProtectionJSON: Generated<Uint8Array | null>;
    /** A JSON array. */
    connectedAPINodeIds: Generated<string>;
    /** Counts the changes of the node; the versions of its clusters are added to it. */
    configVersion: Generated<bigint>;
    statusJSON: Generated<Uint8Array | null>;
    /** 0 when the node never reported. */
    statusUpdatedAt: Generated<bigint>;
    /** The configuration version that the node last reported. */
    statusVersion: Generated<bigint>;
    isActive: DefaultFlag;
    /** The machine and the program that the node last reported. */
    os: Generated<string>;
    arch: Generated<string>;
    buildVersion: Generated<string>;
    buildVersionCode: Generated<bigint>;
    /** True if the event of its silence was emitted, and it has not reported since. */
    isOfflineTold: DefaultFlag;
    cpuUsage: Generated<number>;
    memoryUsage: Generated<number>;
    load1m: Generated<number>;
    trafficInBytes: Generated<bigint>;
    trafficOutBytes: Generated<bigint>;
    connectionCount: Generated<bigint>;
    state: Generated<bigint>;
  };
  nodeSecondaryClusters: { nodeId: bigint; nodeClusterId: bigint; position: Int32 };
  nodeLogins: {
    id: Generated<bigint>;
    nodeId: bigint;
    name: string;
    type: string;
    host: string;
    port: Int32;
    grantId: bigint;
  };
}

export type NodeRow = Selectable<Tables["nodes"]>;
export type NodeLoginRow = Selectable<Tables["nodeLogins"]>;
