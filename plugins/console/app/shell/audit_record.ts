/** The record of an operation that a person called. */
export interface AuditRecord {
  readonly description: string;
  readonly action: string;
}

/** Operations that change nothing, although they are not declared as reading only. */
const LOOKS = /^(check|find|list|count|search|test|read|export|compose|preview)/;
const MAX_NAME = 100;

/**
 * Returns what to record of an operation: its path, the ids of its request and the name of the object, but no other
 * values, which may be secret. Undefined if it changes nothing.
 *
 * @param place the place in the console, such as `#/resource/NSDomain/5?offset=20`
 */
export function auditRecord(
  path: string,
  isRead: boolean,
  request: Readonly<Record<string, unknown>>,
  place: string,
): AuditRecord | undefined {
  const [service = "", method = ""] = path.replace(/^\//, "").split("/");
  if (isRead || service === "LogService" || LOOKS.test(method)) return undefined;
  const ids = Object.entries(request).flatMap(([name, value]) =>
    typeof value === "bigint" && value !== 0n && /(^id|Id)$/.test(name) ? [`${name} ${value}`] : []
  );
  const names = ["name", "username"].map((field) => request[field]).filter((name) =>
    typeof name === "string" && name !== "" && name.length <= MAX_NAME
  );
  return {
    description: [`${service}/${method}`, ...ids, ...names.map((name) => `"${name}"`)].join(" "),
    action: place.split("?")[0] ?? "",
  };
}
