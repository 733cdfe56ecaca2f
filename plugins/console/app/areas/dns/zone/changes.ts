/** A record as the zone editor shows it. */
export interface ZoneRecord {
  /** The id; 0n for one that is not sent yet. */
  readonly id: bigint;
  readonly description: string;
  readonly name: string;
  readonly type: string;
  readonly value: string;
  readonly ttl: number;
  readonly mxPriority: number;
  readonly srvPriority: number;
  readonly srvWeight: number;
  readonly srvPort: number;
  readonly caaFlag: number;
  readonly caaTag: string;
  readonly weight: number;
  readonly isOn: boolean;
  readonly nsRouteCodes: readonly string[];
}

/** A field that is typed as text. */
export type EditableField = Exclude<keyof ZoneRecord, "id" | "isOn" | "nsRouteCodes">;

const NUMBERS: readonly EditableField[] = [
  "ttl",
  "mxPriority",
  "srvPriority",
  "srvWeight",
  "srvPort",
  "caaFlag",
  "weight",
];

/** A row of the editor: a record as it was, and as it will be. */
export interface EditedRow {
  /** Identifies the row while it has no id. */
  readonly key: string;
  readonly before: ZoneRecord | undefined;
  readonly after: ZoneRecord | undefined;
}

export type RowState = "same" | "new" | "changed" | "gone";

export function stateOf({ before, after }: EditedRow): RowState {
  if (before === undefined) return "new";
  if (after === undefined) return "gone";
  return before === after || isSameContent(before, after) ? "same" : "changed";
}

/** True if both answer the same. */
export function isSameContent(before: ZoneRecord, after: ZoneRecord): boolean {
  return JSON.stringify(contentOf(before)) === JSON.stringify(contentOf(after));
}

/** Counts the changes by kind. */
export function summaryOf(rows: readonly EditedRow[]): Readonly<Record<RowState, number>> {
  const counts = { same: 0, new: 0, changed: 0, gone: 0 };
  for (const row of rows) counts[stateOf(row)]++;
  return counts;
}

export function unchangedRow(record: ZoneRecord): EditedRow {
  return { key: String(record.id), before: record, after: record };
}

export function newRow(): EditedRow {
  const record: ZoneRecord = {
    id: 0n,
    description: "",
    name: "@",
    type: "A",
    value: "",
    ttl: 600,
    mxPriority: 0,
    srvPriority: 0,
    srvWeight: 0,
    srvPort: 0,
    caaFlag: 0,
    caaTag: "",
    weight: 0,
    isOn: true,
    nsRouteCodes: [],
  };
  return { key: crypto.randomUUID(), before: undefined, after: record };
}

/** Returns the row with another value of a field; numbers that are none stay as they were. */
export function withField(row: EditedRow, field: EditableField, text: string): EditedRow {
  const { after } = row;
  if (after === undefined) return row;
  const value = NUMBERS.includes(field) ? (/^\d+$/.test(text) ? Number(text) : after[field]) : text;
  return { ...row, after: { ...after, [field]: value } };
}

/** Shows the zone as it will be, in the format of zone files. */
export function zoneText(domain: string, rows: readonly EditedRow[]): string {
  const lines = rows.flatMap(({ after }) => after === undefined ? [] : [lineOf(after)]);
  return `$ORIGIN ${domain}.\n${lines.join("\n")}\n`;
}

/** Shows a record as a line of a zone file. */
export function lineOf(record: ZoneRecord): string {
  const { name, ttl, type } = record;
  const line = `${name.padEnd(24)} ${String(ttl).padEnd(6)} IN ${type.padEnd(6)} ${dataOf(record)}`;
  return record.isOn ? line : `; turned off: ${line}`;
}

/** Returns the data of a record; SRV and CAA may also be typed whole into the value. */
function dataOf(record: ZoneRecord): string {
  const { type, value, mxPriority, srvPriority, srvWeight, srvPort, caaFlag, caaTag } = record;
  if (type === "MX") return `${mxPriority} ${value}`;
  if (type === "SRV" && !value.includes(" ")) return `${srvPriority} ${srvWeight} ${srvPort} ${value}`;
  if (type === "CAA" && caaTag !== "") return `${caaFlag} ${caaTag} ${quoted(value)}`;
  if (type === "TXT") return (value.match(/.{1,255}/gs) ?? [""]).map(quoted).join(" ");
  return value;
}

function quoted(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

function contentOf(record: ZoneRecord): unknown[] {
  const { description, name, type, value, ttl, mxPriority, srvPriority, srvWeight, srvPort, caaFlag, caaTag } = record;
  const { weight, isOn, nsRouteCodes } = record;
  return [
    ...[description, name, type, value, ttl, mxPriority, srvPriority, srvWeight, srvPort, caaFlag, caaTag],
    ...[weight, isOn, [...nsRouteCodes].sort()],
  ];
}
