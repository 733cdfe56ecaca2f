import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { JsonError, prefixPath, requestError } from "./json_error.ts";
import { memoize } from "./memoize.ts";
import { parseJson, type ParseLimits } from "./parse.ts";
import { type Fields, isObject } from "./value.ts";

/**
 * Checks that the JSON of a message has no key twice and no field in two spellings, for parsers that do not.
 *
 * @throws RpcError invalid, which names the path of the duplicate; also if the text is not JSON
 */
export function checkUniqueFields(desc: DescMessage, text: string, limits: ParseLimits): void {
  try {
    checkMessage(desc, parseJson(text, limits));
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw requestError(error.path, error.message);
  }
}

/** The fields of a message by their spellings in lower case. */
const fieldsOf = memoize((desc: DescMessage): ReadonlyMap<string, DescField> =>
  new Map(
    desc.fields.flatMap((field) => [[field.jsonName.toLowerCase(), field], [field.name.toLowerCase(), field]] as const),
  )
);

function checkMessage(desc: DescMessage, json: unknown): void {
  // these are JSON values of any shape
  if (!isObject(json) || desc.typeName.startsWith("google.protobuf.")) return;
  const fields = fieldsOf(desc);
  const seen = new Set<DescField>();
  for (const [key, value] of Object.entries(json)) {
    const field = fields.get(key.toLowerCase());
    if (field === undefined) continue;
    try {
      if (seen.has(field)) throw new JsonError("is given twice, in different spellings");
      seen.add(field);
      checkField(field, value);
    } catch (error) {
      throw prefixPath(error, field.name);
    }
  }
}

function checkField(field: DescField, json: unknown): void {
  const { message } = field;
  if (message === undefined) return;
  if (field.fieldKind === "list" && Array.isArray(json)) {
    for (const [index, item] of json.entries()) checkItem(message, item, `[${index}]`);
  } else if (field.fieldKind === "map" && isObject(json)) {
    for (const [key, item] of Object.entries(json as Fields)) checkItem(message, item, key);
  } else {
    checkMessage(message, json);
  }
}

function checkItem(desc: DescMessage, json: unknown, segment: string): void {
  try {
    checkMessage(desc, json);
  } catch (error) {
    throw prefixPath(error, segment);
  }
}
