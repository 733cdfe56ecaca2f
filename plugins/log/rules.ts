import { invalid } from "edgehelm";

const MAX_DESCRIPTION = 1000;
const MAX_ARGUMENTS = 4096;

/** What was done, in words; without words the code that stands for them, and what it is filled with. */
export function descriptionOf(
  request: { description: string; langMessageCode: string; langMessageArgsJSON: Uint8Array },
): string {
  const values = argumentsField("langMessageArgsJSON", request.langMessageArgsJSON);
  const code = request.langMessageCode.trim();
  const words = request.description.trim() ||
    (values.length > 0 && code !== "" ? `${code}: ${values.join(", ")}` : code);
  if (words === "") throw invalid("description", "must not be empty where langMessageCode is empty too");
  return words.slice(0, MAX_DESCRIPTION);
}

function argumentsField(field: string, bytes: Uint8Array): (string | number | boolean)[] {
  if (bytes.length > MAX_ARGUMENTS) {
    throw invalid(field, `must have at most ${MAX_ARGUMENTS} bytes, got ${bytes.length}`);
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
  throw invalid(field, "must be a JSON array of texts, numbers and booleans");
}
