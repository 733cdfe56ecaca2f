import { anyOf, type Db, type DefaultFlag } from "edgehelm";
import type { DefaultInt32, Int32 } from "edgehelm/storage";
import { type Generated, type Kysely, type Selectable, sql, type SqlBool } from "kysely";

export type InstallPhase = "waiting" | "running" | "done" | "failed" | "cancelled";
export type InstallKind = "install" | "upgrade";

export interface Tables {
  /** The last installation of each node. */
  nodeInstallations: {
    role: string;
    nodeId: bigint;
    kind: InstallKind;
    /** Different for each installation of the node. */
    attempt: string;
    phase: InstallPhase;
    /** A JSON array of steps. */
    steps: Generated<string>;
    version: Generated<string>;
    error: Generated<string>;
    errorCode: Generated<string>;
    /** The machine whose host key changed, if that is why it failed. */
    keyHost: Generated<string>;
    keyPort: DefaultInt32;
    /** The instance that runs it. */
    holder: Generated<string>;
    isCancelled: DefaultFlag;
    requestedAt: bigint;
    /** The time of the last heartbeat, as the other times in unix seconds. */
    updatedAt: bigint;
  };
  nodeHostKeys: {
    host: string;
    port: Int32;
    type: string;
    fingerprint: string;
    acceptedAt: bigint;
    /** The last key that was refused. */
    offeredType: Generated<string>;
    offeredFingerprint: Generated<string>;
    offeredAt: Generated<bigint>;
  };
  nodePackages: {
    id: Generated<bigint>;
    program: string;
    os: string;
    arch: string;
    version: string;
    filename: string;
    fileId: bigint;
    size: bigint;
    sha256: string;
    md5: string;
    createdAt: bigint;
  };
}

export type InstallationRow = Selectable<Tables["nodeInstallations"]>;
export type HostKeyRow = Selectable<Tables["nodeHostKeys"]>;
export type PackageRow = Selectable<Tables["nodePackages"]>;

interface NodeKey {
  readonly role: string;
  readonly nodeId: bigint;
}
type Attempt = NodeKey & { readonly attempt: string };

/** Returns the statements on installations. */
export function installationStore(db: Db<Tables>) {
  const running = (q: Kysely<Tables>, p: Attempt) =>
    q.updateTable("nodeInstallations").where("role", "=", p.role).where("nodeId", "=", p.nodeId)
      .where("attempt", "=", p.attempt).where("phase", "=", "running");
  return {
    find: db.query((q, p: NodeKey) =>
      q.selectFrom("nodeInstallations").selectAll().where("role", "=", p.role).where("nodeId", "=", p.nodeId)
    ),
    ofNodes: db.query((q, p: { role: string; nodeIds: bigint[] }) =>
      q.selectFrom("nodeInstallations").selectAll().where("role", "=", p.role).where("nodeId", "in", anyOf(p.nodeIds))
    ),
    begin: db.put("nodeInstallations", ["role", "nodeId"], [
      "role",
      "nodeId",
      "kind",
      "attempt",
      "phase",
      "steps",
      "version",
      "error",
      "errorCode",
      "keyHost",
      "keyPort",
      "holder",
      "isCancelled",
      "requestedAt",
      "updatedAt",
    ]),
    remove: db.query((q, p: NodeKey) =>
      q.deleteFrom("nodeInstallations").where("role", "=", p.role).where("nodeId", "=", p.nodeId)
    ),
    waiting: db.query((q, p: { limit: number }) =>
      q.selectFrom("nodeInstallations").selectAll().where("phase", "=", sql<InstallPhase>`'waiting'`)
        .orderBy("requestedAt").limit(p.limit)
    ),
    take: db.query((q, p: Attempt & { holder: string; now: bigint }) =>
      q.updateTable("nodeInstallations").set({ phase: "running", holder: p.holder, updatedAt: p.now })
        .where("role", "=", p.role).where("nodeId", "=", p.nodeId).where("attempt", "=", p.attempt)
        .where("phase", "=", "waiting")
    ),
    /** Records the heartbeat of a running installation; no row is changed if it has ended or was replaced. */
    beat: db.query((q, p: Attempt & { steps: string; version: string; now: bigint }) =>
      running(q, p).set({ steps: p.steps, version: p.version, updatedAt: p.now })
    ),
    /** Gives a running installation back, for any instance to begin it again. */
    giveBack: db.query((q, p: Attempt & { now: bigint }) =>
      running(q, p).set({ phase: "waiting", holder: "", steps: "[]", updatedAt: p.now })
    ),
    end: db.query((
      q,
      p: Attempt & {
        phase: InstallPhase;
        steps: string;
        error: string;
        errorCode: string;
        keyHost: string;
        keyPort: number;
        now: bigint;
      },
    ) =>
      running(q, p).set({
        phase: p.phase,
        steps: p.steps,
        error: p.error,
        errorCode: p.errorCode,
        keyHost: p.keyHost,
        keyPort: p.keyPort,
        holder: "",
        updatedAt: p.now,
      })
    ),
    cancelWaiting: db.query((q, p: NodeKey & { error: string; now: bigint }) =>
      q.updateTable("nodeInstallations").set({ phase: "cancelled", error: p.error, updatedAt: p.now })
        .where("role", "=", p.role).where("nodeId", "=", p.nodeId).where("phase", "=", "waiting")
    ),
    askToCancel: db.query((q, p: NodeKey) =>
      q.updateTable("nodeInstallations").set({ isCancelled: true }).where("role", "=", p.role)
        .where("nodeId", "=", p.nodeId).where("phase", "=", "running")
    ),
    /** Finds installations whose instances died. */
    silent: db.query((q, p: { before: bigint; limit: number }) =>
      q.selectFrom("nodeInstallations").select(["role", "nodeId"]).where("phase", "=", sql<InstallPhase>`'running'`)
        .where("updatedAt", "<", p.before).limit(p.limit)
    ),
    /** Ends an installation, unless it has given a sign of life meanwhile. */
    endSilent: db.query((q, p: NodeKey & { before: bigint; error: string }) =>
      q.updateTable("nodeInstallations").set({ phase: "failed", error: p.error, holder: "" })
        .where("role", "=", p.role).where("nodeId", "=", p.nodeId).where("phase", "=", "running")
        .where("updatedAt", "<", p.before)
    ),
  };
}
export type InstallationStore = ReturnType<typeof installationStore>;

/** Returns the statements on host keys. */
export function hostKeyStore(db: Db<Tables>) {
  return {
    find: db.query((q, p: { host: string; port: bigint }) =>
      q.selectFrom("nodeHostKeys").selectAll().where("host", "=", p.host).where("port", "=", p.port)
    ),
    all: db.query((q, p: { offset: number; limit: number }) =>
      q.selectFrom("nodeHostKeys").selectAll().orderBy("host").orderBy("port").limit(p.limit).offset(p.offset)
    ),
    accept: db.put("nodeHostKeys", ["host", "port"], [
      "host",
      "port",
      "type",
      "fingerprint",
      "acceptedAt",
      "offeredType",
      "offeredFingerprint",
      "offeredAt",
    ]),
    offer: db.query((q, p: { host: string; port: bigint; type: string; fingerprint: string; now: bigint }) =>
      q.updateTable("nodeHostKeys").set({
        offeredType: p.type,
        offeredFingerprint: p.fingerprint,
        offeredAt: p.now,
      }).where("host", "=", p.host).where("port", "=", p.port)
    ),
    remove: db.query((q, p: { host: string; port: bigint }) =>
      q.deleteFrom("nodeHostKeys").where("host", "=", p.host).where("port", "=", p.port)
    ),
  };
}
export type HostKeyStore = ReturnType<typeof hostKeyStore>;

/** Returns the statements on packages. */
export function packageStore(db: Db<Tables>) {
  return {
    insert: db.insert("nodePackages", [
      "program",
      "os",
      "arch",
      "version",
      "filename",
      "fileId",
      "size",
      "sha256",
      "md5",
      "createdAt",
    ]),
    find: db.query((q, p: { id: bigint }) => q.selectFrom("nodePackages").selectAll().where("id", "=", p.id)),
    named: db.query((q, p: { filename: string }) =>
      q.selectFrom("nodePackages").select("id").where("filename", "=", p.filename)
    ),
    all: db.query((q) => q.selectFrom("nodePackages").selectAll().orderBy("id", "desc")),
    ofProgram: db.query((q, p: { program: string }) =>
      q.selectFrom("nodePackages").selectAll().where("program", "=", p.program)
    ),
    remove: db.query((q, p: { id: bigint }) => q.deleteFrom("nodePackages").where(sql<SqlBool>`id = ${p.id}`)),
  };
}
export type PackageStore = ReturnType<typeof packageStore>;
