import type { DescMessage } from "@bufbuild/protobuf";
import { jsonContentOf, textValuesOf } from "edgehelm/wire";
import { operations } from "../../../../shell/state.ts";

/**
 * Returns the values that the server accepts for a text inside of JSON.
 *
 * @param path the operation, such as `HTTPCachePolicyService/updateHTTPCachePolicyRefs`
 * @param field the field of its request that contains the JSON
 * @param steps the fields that lead to the text
 */
export function servedValues(path: string, field: string, steps: readonly string[]): readonly string[] {
  const input = operations.value.find((operation) => operation.path === `/${path}`)?.method.input;
  const content = input?.fields.find(({ name }) => name === field);
  const [shape] = (content && jsonContentOf(content)?.shapes) ?? [];
  let message: DescMessage | undefined = typeof shape === "object" ? shape : undefined;
  for (const step of steps.slice(0, -1)) message = message?.fields.find(({ name }) => name === step)?.message;
  const text = message?.fields.find(({ name }) => name === steps.at(-1));
  return text === undefined ? [] : textValuesOf(text).filter((value) => value !== "");
}
