import { definePlugin } from "edgehelm";
import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll } from "vitest";
import { SSLCertListeners, SSLCerts, SSLCertUses } from "../../../plugins/ssl_cert/contract.ts";
import plugin from "../../../plugins/ssl_cert/plugin.ts";
import { SSLCertService } from "../../../plugins/ssl_cert/proto/service_ssl_cert_pb.ts";
import { certificateFile as file } from "./certificates.ts";

export const rpc = SSLCertService.method;
export const ada = as.user(7n);
export const bob = as.user(8n);
export const rsa = { certData: file("rsa.pem"), keyData: file("rsa_pkcs8.key") };

export const changed: bigint[] = [];
/** The certificates that are in use. */
export const usedIds = new Set<bigint>();
export let nodeConfig: (id: bigint) => Promise<string> = () => Promise.reject(new Error("not running"));
const certificateUser = definePlugin({
  manifest: {
    name: "certificate_user",
    version: "1.0.0",
    kernel: "^1",
    services: [],
    tables: [],
    contributes: ["ssl_cert.listeners", "ssl_cert.uses"],
  },
  requires: { certificates: SSLCerts },
  setup({ contribute, deps: { certificates } }) {
    contribute(SSLCertUses, { referencesTo: async (_call, id) => usedIds.has(id) ? ['origin "main"'] : [] });
    contribute(SSLCertListeners, { changed: async (_call, id) => void changed.push(id) });
    nodeConfig = async (id) => {
      const configs = await certificates.configs(edgehelm.kernel.systemCall("test"), [id]);
      return new TextDecoder().decode(configs.get(id));
    };
  },
});

export let edgehelm: TestKernel;

/** Opens the kernel before the tests of a file, and closes it after them. */
export function useKernel(): void {
  beforeAll(async () => {
    edgehelm = await testKernel({ plugins: [plugin, certificateUser] });
  });
  afterAll(() => edgehelm[Symbol.asyncDispose]());
}

export function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

export async function create(request: object, caller = ada): Promise<bigint> {
  return (await edgehelm.call(caller, rpc.createSSLCert, request)).sslCertId;
}

export async function configOf(sslCertId: bigint, caller = ada) {
  const { sslCertJSON } = await edgehelm.call(caller, rpc.findEnabledSSLCertConfig, { sslCertId });
  return sslCertJSON.length === 0 ? undefined : JSON.parse(text(sslCertJSON));
}
