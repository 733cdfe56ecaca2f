import { invalid } from "edgehelm";

const MAX_DESCRIPTION_LENGTH = 1000;
const MAX_ARGUMENTS_BYTES = 4096;

/** Returns the description of a log, or if it is empty, the code of the message with its arguments. */
export function descriptionOf(
  request: { description: string; langMessageCode: string; langMessageArgsJSON: Uint8Array },
): string {
  const values = argumentsField("langMessageArgsJSON", request.langMessageArgsJSON);
  const code = request.langMessageCode.trim();
  const text = request.description.trim() ||
    (values.length > 0 && code !== "" ? `${code}: ${values.join(", ")}` : code);
  if (text === "") throw invalid("description", "must not be empty if langMessageCode is empty too");
  return text.slice(0, MAX_DESCRIPTION_LENGTH);
}

function argumentsField(field: string, bytes: Uint8Array): (string | number | boolean)[] {
  if (bytes.length > MAX_ARGUMENTS_BYTES) {
    throw invalid(field, `must have at most ${MAX_ARGUMENTS_BYTES} bytes, got ${bytes.length}`);
  }
  if (bytes.length === 0) return [];
  let values: unknown;
  try {
    values = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw invalid(field, "must be JSON in UTF-8");
  }
  if (Array.isArray(values) && values.every((value) => ["string", "number", "boolean"].includes(typeof value))) {
    return values;
  }
  throw invalid(field, "must be a JSON array of strings, numbers and booleans");
}
