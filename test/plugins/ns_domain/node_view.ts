import { as, type TestKernel } from "edgehelm/testing";
import { NSDomainService } from "../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import { NSKeyService } from "../../../plugins/ns_key/proto/service_ns_key_pb.ts";
import { NSRecordService } from "../../../plugins/ns_record/proto/service_ns_record_pb.ts";
import { NSRouteService } from "../../../plugins/ns_route/proto/service_ns_route_pb.ts";

/** An object of a domain, as a feed contains it. */
interface Fed {
  readonly id: bigint;
  readonly version: bigint;
  readonly isOn: boolean;
  readonly isDeleted: boolean;
  readonly nsDomain?: { readonly id: bigint } | undefined;
  readonly text: string;
}

/** The kinds of objects of domains that a node fetches, if their plugins are enabled. */
const KINDS = ["record", "key", "route"] as const;
type Kind = (typeof KINDS)[number];

/** A DNS node as the guide "DNS states" describes it: it fetches changes by version, and knows nothing else. */
export class NodeView {
  readonly #edgehelm: TestKernel;
  readonly #node: ReturnType<typeof as.dns>;
  readonly #domains = new Map<bigint, string>();
  readonly #objects = new Map<string, { readonly nsDomainId: bigint; readonly text: string }>();
  readonly #versions: Record<Kind, bigint> = { record: 0n, key: 0n, route: 0n };
  #domainVersion = 0n;

  constructor(edgehelm: TestKernel, nodeId: bigint) {
    this.#edgehelm = edgehelm;
    this.#node = as.dns(nodeId);
  }

  /** Fetches everything that changed, in pages of the given size. */
  async poll(size: bigint): Promise<void> {
    while (await this.#pollDomains(size));
    for (const kind of KINDS) while (await this.#pollObjects(kind, size));
  }

  async #pollDomains(size: bigint): Promise<boolean> {
    const list = NSDomainService.method.listNSDomainsAfterVersion;
    const { nsDomains } = await this.#edgehelm.call(this.#node, list, { version: this.#domainVersion, size });
    for (const { id, name, isOn, isDeleted, version } of nsDomains) {
      this.#domainVersion = version;
      if (isOn && !isDeleted) this.#domains.set(id, name);
      else this.#drop(id);
    }
    return nsDomains.length > 0;
  }

  #drop(nsDomainId: bigint): void {
    this.#domains.delete(nsDomainId);
    for (const [key, object] of this.#objects) if (object.nsDomainId === nsDomainId) this.#objects.delete(key);
  }

  async #pollObjects(kind: Kind, size: bigint): Promise<boolean> {
    const fed = await this.#changes(kind, { version: this.#versions[kind], size });
    for (const { id, isOn, isDeleted, version, nsDomain, text } of fed) {
      this.#versions[kind] = version;
      const key = `${kind} ${id}`;
      if (isOn && !isDeleted) this.#objects.set(key, { nsDomainId: nsDomain!.id, text });
      else this.#objects.delete(key);
    }
    return fed.length > 0;
  }

  async #changes(kind: Kind, request: { version: bigint; size: bigint }): Promise<readonly Fed[]> {
    const { operations } = this.#edgehelm.kernel;
    if (kind === "record") {
      const list = NSRecordService.method.listNSRecordsAfterVersion;
      const { nsRecords } = await this.#edgehelm.call(this.#node, list, request);
      return nsRecords.map((row) => ({ ...row, text: `${row.name} ${row.type} ${row.value}` }));
    }
    if (kind === "key") {
      if (operations.find("/NSKeyService/listNSKeysAfterVersion") === undefined) return [];
      const { nsKeys } = await this.#edgehelm.call(this.#node, NSKeyService.method.listNSKeysAfterVersion, request);
      return nsKeys.map((row) => ({ ...row, text: `key ${row.name}` }));
    }
    if (operations.find("/NSRouteService/listNSRoutesAfterVersion") === undefined) return [];
    const { nsRoutes } = await this.#edgehelm.call(this.#node, NSRouteService.method.listNSRoutesAfterVersion, request);
    return nsRoutes.map((row) => ({ ...row, text: `route ${row.name}` }));
  }

  /** The names that the node answers for. */
  get names(): string[] {
    return [...this.#domains.values()].sort();
  }

  /** The domains, and the objects of domains such as records, that the node holds, with ids. */
  get content(): { readonly domains: string[]; readonly objects: string[] } {
    const domains = [...this.#domains].map(([id, name]) => `${id} ${name}`).sort();
    const objects = [...this.#objects].map(([key, { nsDomainId, text }]) => `${key} of ${nsDomainId}: ${text}`).sort();
    return { domains, objects };
  }
}
