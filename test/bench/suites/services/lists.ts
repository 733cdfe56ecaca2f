import type { Installation } from "../../installation/installation.ts";
import type { HttpCall } from "../../load/http_call.ts";
import { SHARE, USER_ID } from "./data.ts";

const LIST = "/NSDomainService/listNSDomains";
const COUNT = "/NSDomainService/countAllNSDomains";
const FIND = "/NSDomainService/findNSDomainWithName";
const ROWS = '"nsDomains":[{';

/** Each call asks for another page, keyword or name, so that no response comes from what the last call left. */
export function listCalls({ headers }: Installation, domains: number, nsClusterId: number): Record<string, HttpCall> {
  const call = (path: string, body: string, expected: string): HttpCall => ({ path, headers, body, expected });
  const list = (fields: string) => call(LIST, `{${fields}}`, ROWS);
  const count = (fields: string, total: number) => call(COUNT, `{${fields}}`, `"count":${total}`);
  const first = '"offset":<random 0 100>';
  const deep = (total: number) => `"offset":<random ${total - 1000} ${total - 20}>`;
  const shop = `shop-<random 7 ${domains - 7} 7>`;
  const [user, cluster, ofOne] = [`"userId":${USER_ID}`, `"nsClusterId":${nsClusterId}`, domains / SHARE];
  return {
    list: list(first),
    list_deep: list(deep(domains)),
    count: call(COUNT, "{}", '"count":'),
    keyword_rare: list(`"keyword":"${shop}."`),
    keyword_common: list(`"keyword":"shop",${first}`),
    find_by_name: call(FIND, `{"name":"${shop}.example.com"}`, '"name":"shop-'),
    list_of_user: list(`${user},${first}`),
    list_of_user_deep: list(`${user},${deep(ofOne)}`),
    count_of_user: count(user, ofOne),
    keyword_of_user: list(`${user},"keyword":"shop",${first}`),
    list_of_cluster: list(`${cluster},${first}`),
    list_of_cluster_deep: list(`${cluster},${deep(ofOne)}`),
    count_of_cluster: count(cluster, ofOne),
    keyword_of_cluster: list(`${cluster},"keyword":"shop",${first}`),
  };
}
