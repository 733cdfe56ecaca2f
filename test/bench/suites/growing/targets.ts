import { createDomains } from "../../installation/domains.ts";
import type { Installation } from "../../installation/installation.ts";

const DOMAINS = 1000;

/** One kind of call, over HTTP and over gRPC. */
export interface Target {
  readonly name: string;
  readonly operation: string;
  /** The body over HTTP, with random ids. */
  readonly body: string;
  readonly expected: string;
  /** The message over gRPC, where h2load sends the same in all calls. */
  readonly message: Uint8Array;
  /** About how many calls a second one instance does, on a file and on a libSQL server. */
  readonly grpcRate: { readonly file: number; readonly sqld: number };
}

/** Finding a domain, which is shown with its cluster, and creating a domain group. */
export async function targetsOf(installation: Installation): Promise<Target[]> {
  const { firstId, lastId } = await createDomains(installation, DOMAINS);
  return [
    {
      name: "find_domain",
      operation: "NSDomainService/findNSDomain",
      body: `{"nsDomainId":<random ${firstId} ${lastId}>}`,
      expected: ".bench-domain.test",
      message: Uint8Array.of(8, ...varint(firstId)),
      grpcRate: { file: 15_000, sqld: 1500 },
    },
    {
      name: "create_group",
      operation: "NSDomainGroupService/createNSDomainGroup",
      body: '{"name":"grows"}',
      expected: '"nsDomainGroupId":',
      message: Uint8Array.of(10, 5, ...new TextEncoder().encode("grows")),
      grpcRate: { file: 8000, sqld: 400 },
    },
  ];
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [value & 127 | 128, ...varint(value >>> 7)];
}
