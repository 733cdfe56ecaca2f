import { createDomains } from "../../installation/domains.ts";
import type { Installation } from "../../installation/installation.ts";
import type { HttpCall } from "../../load/http_call.ts";
import { runWrk } from "../../load/wrk.ts";
import { POWERDNS_KEY } from "../../peers/powerdns.ts";

const BATCH = 100;
/** The number of domains that there are to find. */
const KNOWN = 2000;
/** The load that fills peers with what is to be found. */
const FILL = { connections: 1, seconds: 2 };
/** Keys of etcd are digits, which are base64 as they are. */
const FIRST_KEY = 10_000_000;
const VALUE = btoa('{"name":"bench.test","isOn":true}');

/** A kind of call whose rate is measured. */
export interface RatedCall {
  readonly name: string;
  readonly call: HttpCall;
  readonly thingsPerCall?: number;
}

export async function ourCalls(installation: Installation): Promise<RatedCall[]> {
  const { headers } = installation;
  const { nsClusterId } = await createDomains(installation, KNOWN);
  const names = Array.from({ length: BATCH }, () => '"<unique>.bench.test"').join();
  return [
    {
      name: "create",
      call: {
        path: "/NSDomainService/createNSDomain",
        headers,
        body: `{"nsClusterId":${nsClusterId},"name":"<unique>.bench.test"}`,
        expected: '"nsDomainId":',
      },
    },
    {
      name: "create_in_batches",
      call: {
        path: "/NSDomainService/createNSDomains",
        headers,
        body: `{"nsClusterId":${nsClusterId},"names":[${names}]}`,
        expected: '"nsDomainIds":',
      },
      thingsPerCall: BATCH,
    },
    {
      name: "find",
      call: {
        path: "/NSDomainService/findNSDomainWithName",
        headers,
        body: `{"name":"d<random 0 ${KNOWN - 1}>.bench-domain.test"}`,
        expected: ".bench-domain.test",
      },
    },
  ];
}

export async function powerDNSCalls(port: number): Promise<RatedCall[]> {
  const path = "/api/v1/servers/localhost/zones";
  const headers = { "x-api-key": POWERDNS_KEY };
  const create = (name: string): HttpCall => ({
    path,
    headers,
    body: `{"name":"${name}.","kind":"Native","nameservers":["ns1.bench.test."]}`,
    status: 201,
    expected: '"name"',
  });
  const { calls: known } = await runWrk({ port, ...FILL }, create("known<serial 0>.test"));
  const find: HttpCall = {
    method: "GET",
    path: `${path}/known<random 0 ${known - 1}>.test.`,
    headers,
    expected: '"name": "known',
  };
  return [{ name: "powerdns_create", call: create("<unique>.bench.test") }, { name: "powerdns_find", call: find }];
}

export async function etcdCalls(port: number): Promise<RatedCall[]> {
  const put = (key: string): HttpCall => ({
    path: "/v3/kv/put",
    body: `{"key":"${key}","value":"${VALUE}"}`,
    expected: '"revision":',
  });
  const { calls: known } = await runWrk({ port, ...FILL }, put(`<serial ${FIRST_KEY}>`));
  const range: HttpCall = {
    path: "/v3/kv/range",
    body: `{"key":"<random ${FIRST_KEY} ${FIRST_KEY + known - 1}>"}`,
    expected: '"count":"1"',
  };
  return [
    { name: "etcd_put", call: put("<random 50000000 99999999>") },
    { name: "etcd_range", call: range },
  ];
}
