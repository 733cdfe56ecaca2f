import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { session } from "../shell/state.ts";
import { isBlank } from "./value.tsx";

type Row = Readonly<Record<string, unknown>>;

const FIRST = [
  "id",
  "name",
  "username",
  "fullname",
  "domain",
  "code",
  "type",
  "value",
  "status",
  "state",
  "isOn",
  "isUp",
];
const LAST = ["createdAt", "updatedAt"];
const MAX_COLUMNS = 8;

/** The fields that say nothing to users: whose an object is, and what only the operator chooses. */
const OF_OPERATORS = [
  "userId",
  "user",
  "adminId",
  "admin",
  "nodeClusterId",
  "nodeCluster",
  "nsClusterId",
  "nsCluster",
  "includeNodes",
  "includeNodesJSON",
  "excludeNodes",
  "excludeNodesJSON",
  "webId",
  "version",
];

/** True if the field says something to the reader. */
export function isForReader({ localName }: DescField): boolean {
  return session.value?.type !== "user" || !OF_OPERATORS.includes(localName);
}

/** Chooses the columns of a table: identity, state, then what rows differ in, then times. Empty ones are left out. */
export function columnsOf(message: DescMessage, rows: readonly Row[]): DescField[] {
  const names = new Set(message.fields.map(({ localName }) => localName));
  const isNamed = ({ localName }: DescField) => localName.endsWith("Id") && names.has(localName.slice(0, -"Id".length));
  const shown = message.fields.filter((field) =>
    isColumn(field) && !isNamed(field) && rows.some((row) => !isBlank(row[field.localName]))
  );
  return shown.map((field, index) => ({ field, rank: rankOf(field, index) })).sort((one, other) =>
    one.rank - other.rank
  )
    .slice(0, MAX_COLUMNS).map(({ field }) => field);
}

/** Chooses the fields of an object's page, identity first and JSON last. */
export function detailsOf(message: DescMessage): DescField[] {
  return message.fields.filter(isForReader).sort((one, other) => Number(isJson(one)) - Number(isJson(other)));
}

export function isJson({ name, scalar }: DescField): boolean {
  return scalar === ScalarType.BYTES && name.endsWith("JSON");
}

function isColumn(field: DescField): boolean {
  if (
    field.scalar === ScalarType.BYTES || !isForReader(field) || field.name === "isDeleted" || field.name === "version"
  ) return false;
  return field.fieldKind !== "map" && field.fieldKind !== "list";
}

function rankOf({ name }: DescField, index: number): number {
  const first = FIRST.indexOf(name);
  if (first >= 0) return first;
  return LAST.includes(name) ? 1000 + index : 100 + index;
}
