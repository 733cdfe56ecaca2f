import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { session } from "../shell/state.ts";
import { isBlank } from "./value.tsx";

type Row = Readonly<Record<string, unknown>>;

const FIRST = [
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
const LAST = ["createdAt", "updatedAt", "id"];
const MAX_COLUMNS = 8;
/** Secrets are shown on the page of an object only, and when they are asked for. */
const SECRET = /secret|password|privateKey|keyData|^token$/i;

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
  const shown = message.fields.filter((field) =>
    isColumn(field) && !isNamed(field) && rows.some((row) => !isBlank(row[field.localName]))
  );
  return shown.map((field, index) => ({ field, rank: rankOf(field, index) })).sort((one, other) =>
    one.rank - other.rank
  )
    .slice(0, MAX_COLUMNS).map(({ field }) => field);
}

/** Chooses the fields of an object's page, in the order of the proto: its id after the plain ones, and JSON last. */
export function detailsOf(message: DescMessage): DescField[] {
  const rank = (field: DescField) => isJson(field) ? 2 : field.name === "id" ? 1 : 0;
  return message.fields.filter((field) => isForReader(field) && !isNamed(field) && field.name !== "isDeleted")
    .sort((one, other) => rank(one) - rank(other));
}

/** True for the id of an object that the message contains with its name, too. */
function isNamed({ localName, parent }: DescField): boolean {
  return localName.endsWith("Id") && parent.fields.some((other) => `${other.localName}Id` === localName);
}

export function isJson({ name, scalar }: DescField): boolean {
  return scalar === ScalarType.BYTES && name.endsWith("JSON");
}

export function isSecret({ name, scalar }: DescField): boolean {
  return (scalar === ScalarType.STRING || scalar === ScalarType.BYTES) && SECRET.test(name);
}

function isColumn(field: DescField): boolean {
  if (
    field.scalar === ScalarType.BYTES || !isForReader(field) || isSecret(field) || field.name === "uniqueId" ||
    field.name === "isDeleted" || field.name === "version"
  ) return false;
  if (field.fieldKind === "message") return field.message.fields.some(({ name }) => /^(user)?name$/.test(name));
  return field.fieldKind !== "map" && field.fieldKind !== "list";
}

function rankOf({ name }: DescField, index: number): number {
  const first = FIRST.indexOf(name);
  if (first >= 0) return first;
  return LAST.includes(name) ? 1000 + index : 100 + index;
}
