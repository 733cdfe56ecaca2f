import type { HttpCall } from "../../load/http_call.ts";
import { yesterday } from "./yesterday.ts";

const FIRST = '"offset":<random 0 100>';

/** Pages and counts of the audit log. */
export function auditCalls(rows: number): Record<string, HttpCall> {
  const call = (operation: string, fields: string, expected: string): HttpCall => ({
    path: `/LogService/${operation}`,
    body: `{${fields}}`,
    expected,
  });
  const list = (fields: string, expected = '"logs":[{') => call("listLogs", fields, expected);
  const count = (fields: string) => call("countLogs", fields, '"count":');
  const days = `"dayFrom":"${yesterday()}","dayTo":"${yesterday()}"`;
  const rare = `"keyword":"number <random 1000 ${rows - 1}> of"`;
  const deep = Math.floor(rows * 0.9);
  return {
    audit_list_first: list(FIRST),
    audit_list_deep: list(`"offset":<random ${deep - 200} ${deep}>`),
    audit_keyword_rare: list(rare),
    audit_keyword_common: list(`"keyword":"Certificate",${FIRST}`),
    audit_keyword_day: list(`"keyword":"certificate","userType":"user","level":"warn",${days},${FIRST}`, '"code":200'),
    audit_keyword_none: list('"keyword":"unheard of <random 1 1000000>"', '"code":200'),
    audit_keyword_short: list(`"keyword":"is",${FIRST}`),
    audit_count: count(`"level":"error","userType":"admin",${days}`),
    audit_count_keyword_rare: count(rare),
    audit_count_keyword_common: count('"keyword":"certificate"'),
  };
}
