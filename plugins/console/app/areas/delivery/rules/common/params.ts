import { paramTexts } from "./param_texts.ts";

/** The name of a part of a request or a response that rules compare. */
export type ParamName = keyof typeof paramTexts.value;

/** The parts that are chosen with a name, such as the one of a header. */
const NAMED: readonly string[] = [
  ...["arg", "cookie", "header", "requestForm", "requestUpload", "response.header", "responseHeader"] as const,
] satisfies readonly ParamName[];

/** The parts that only a response has. */
const OF_RESPONSES: readonly string[] = [
  ...["status", "bytesSent", "response.contentType", "response.header", "responseHeader", "responseBody"] as const,
] satisfies readonly ParamName[];

/** A part that is compared, as it is chosen: one that is known, with its name if it has one, or an expression. */
export type Chosen =
  | { readonly param: ParamName; readonly name: string }
  | { readonly expression: string };

/** True if the part is chosen with a name. */
export function isNamed(param: string): boolean {
  return NAMED.includes(param);
}

/** Reads what is compared, such as `${header.Accept}`. */
export function chosenOf(expression: string, offered: readonly ParamName[]): Chosen {
  const inner = variableOf(expression);
  if (inner === undefined) return { expression };
  const named = offered.find((param) => isNamed(param) && inner.startsWith(`${param}.`));
  if (named !== undefined) return { param: named, name: inner.slice(named.length + 1) };
  const plain = offered.find((param) => param === inner && !isNamed(param));
  return plain === undefined ? { expression } : { param: plain, name: "" };
}

/** Writes what is compared, as nodes read it. */
export function expressionOf(chosen: Chosen): string {
  if ("expression" in chosen) return chosen.expression;
  return `\${${chosen.param}${isNamed(chosen.param) ? `.${chosen.name}` : ""}}`;
}

/** Writes what is compared for people. */
export function partText(expression: string): string {
  const chosen = chosenOf(expression, Object.keys(paramTexts.value) as ParamName[]);
  if ("expression" in chosen) return chosen.expression;
  return chosen.name === "" ? paramTexts.value[chosen.param] : `${paramTexts.value[chosen.param]} ${chosen.name}`;
}

/** True if the expression is more than one variable. */
export function isComposed(expression: string): boolean {
  return variableOf(expression) === undefined;
}

/** True if the expression contains nothing that only a response has. */
export function isOfRequest(expression: string): boolean {
  return !OF_RESPONSES.some((name) => expression.includes(`\${${name}`));
}

/** Returns what is inside of `${}`, if the expression is one variable. */
function variableOf(expression: string): string | undefined {
  const inner = expression.startsWith("${") && expression.endsWith("}") ? expression.slice(2, -1) : "";
  return inner === "" || inner.includes("{") || inner.includes("}") ? undefined : inner;
}
