import { as, type TestKernel } from "edgehelm/testing";
import { NSDomainService } from "../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import { NSRecordService } from "../../../plugins/ns_record/proto/service_ns_record_pb.ts";

/** A DNS node as the guide "DNS states" describes it: it fetches changes by version, and knows nothing else. */
export class NodeView {
  readonly #edgehelm: TestKernel;
  readonly #node: ReturnType<typeof as.dns>;
  readonly #domains = new Map<bigint, string>();
  readonly #records = new Map<bigint, { readonly nsDomainId: bigint; readonly text: string }>();
  #domainVersion = 0n;
  #recordVersion = 0n;

  constructor(edgehelm: TestKernel, nodeId: bigint) {
    this.#edgehelm = edgehelm;
    this.#node = as.dns(nodeId);
  }

  /** Fetches everything that changed, in pages of the given size. */
  async poll(size: bigint): Promise<void> {
    while (await this.#pollDomains(size));
    while (await this.#pollRecords(size));
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
    for (const [id, record] of this.#records) if (record.nsDomainId === nsDomainId) this.#records.delete(id);
  }

  async #pollRecords(size: bigint): Promise<boolean> {
    const list = NSRecordService.method.listNSRecordsAfterVersion;
    const { nsRecords } = await this.#edgehelm.call(this.#node, list, { version: this.#recordVersion, size });
    for (const { id, name, type, value, isOn, isDeleted, version, nsDomain } of nsRecords) {
      this.#recordVersion = version;
      if (isOn && !isDeleted) this.#records.set(id, { nsDomainId: nsDomain!.id, text: `${name} ${type} ${value}` });
      else this.#records.delete(id);
    }
    return nsRecords.length > 0;
  }

  /** The names that the node answers for. */
  get names(): string[] {
    return [...this.#domains.values()].sort();
  }

  /** The domains and records that the node holds, with ids. */
  get content(): { readonly domains: string[]; readonly records: string[] } {
    const domains = [...this.#domains].map(([id, name]) => `${id} ${name}`).sort();
    const records = [...this.#records].map(([id, { nsDomainId, text }]) => `${id} of ${nsDomainId}: ${text}`).sort();
    return { domains, records };
  }
}
