import type { AuditLog } from "./logs.ts";

const COLUMNS = ["id", "time", "who", "adminId", "userId", "level", "action", "description", "ip", "source"] as const;

/** Writes records as CSV by RFC 4180, with times in UTC. */
export function csvOf(logs: readonly AuditLog[]): string {
  const rows = logs.map((log) => {
    const values = valuesOf(log);
    return COLUMNS.map((column) => cellOf(values[column])).join(",");
  });
  return [COLUMNS.join(","), ...rows, ""].join("\r\n");
}

/** Writes records as a JSON array, with times in UTC. */
export function jsonOf(logs: readonly AuditLog[]): string {
  return `${JSON.stringify(logs.map(valuesOf), undefined, 2)}\n`;
}

function valuesOf(log: AuditLog): Record<(typeof COLUMNS)[number], string | number> {
  return {
    id: Number(log.id),
    time: new Date(Number(log.createdAt) * 1000).toISOString(),
    who: log.userName,
    adminId: Number(log.adminId),
    userId: Number(log.userId),
    level: log.level,
    action: log.action,
    description: log.description,
    ip: log.ip,
    source: log.source,
  };
}

/** Spreadsheets run texts that begin like this as formulas. */
const FORMULA = /^[=+\-@\t\r]/;

function cellOf(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
