import { choiceField, invalid, listField, textField } from "edgehelm";
import type { HTTPRequestCond, HTTPRequestConds } from "./proto/shapes_pb.ts";

const CONNECTORS = ["and", "or"] as const;

/** The comparison operators of nodes. */
const OPERATORS = [
  ...["eq", "not", "prefix", "suffix", "contains", "not contains", "in", "not in"],
  ...["regexp", "not regexp", "wildcard match", "wildcard not match"],
  ...["eq int", "eq float", "gt", "gte", "lt", "lte", "mod", "mod 10", "mod 100"],
  ...["eq ip", "gt ip", "gte ip", "lt ip", "lte ip", "ip range", "ip mod", "ip mod 10", "ip mod 100"],
  ...["file ext", "mime type", "version range", "file exist", "file not exist"],
];
/** The operators whose value is a JSON array in text form. */
const LIST_OPERATORS = ["in", "not in", "file ext", "mime type"];

/** Checks a combination of conditions. */
export function checkConds(path: string, { connector, groups }: HTTPRequestConds): void {
  connectorField(`${path}.connector`, connector);
  listField(`${path}.groups`, groups, (at, group) => {
    connectorField(`${at}.connector`, group.connector);
    textField(`${at}.description`, group.description, { max: 1000 });
    listField(`${at}.conds`, group.conds, checkCond, { max: 200 });
  }, { max: 100 });
}

/** Checks one condition. */
export function checkCond(path: string, { param, operator, value }: HTTPRequestCond): void {
  textField(`${path}.param`, param, { min: 1, max: 1000 });
  choiceField(`${path}.operator`, operator, OPERATORS);
  if (LIST_OPERATORS.includes(operator)) textListField(`${path}.value`, value);
}

/** Checks the operator that combines conditions; empty means "or". */
function connectorField(path: string, connector: string): void {
  if (connector !== "") choiceField(path, connector, CONNECTORS);
}

function textListField(path: string, text: string): void {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    list = undefined;
  }
  if (Array.isArray(list) && list.every((item) => typeof item === "string")) return;
  throw invalid(path, `must be a JSON array of strings such as [".js", ".css"], got "${text.slice(0, 60)}"`);
}
