import type { DescField, DescMethod } from "@bufbuild/protobuf";
import type { Kernel } from "../../kernel/kernel.ts";
import { callersText, type Operation } from "../../calls/operation.ts";
import { EXPLORER_SCRIPT, EXPLORER_STYLE } from "./explorer_assets.ts";

const HEADERS = {
  "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'",
  "x-content-type-options": "nosniff",
};

/** Creates the pages of the explorer, in which a person can find and call every operation. They load no other files. */
export function explorerPages(kernel: Kernel): ReadonlyMap<string, () => Response> {
  const page = explorerPage(kernel.operations.all);
  return new Map([
    ["/explorer", () => respond(page, "text/html")],
    ["/explorer.js", () => respond(EXPLORER_SCRIPT, "text/javascript")],
    ["/explorer.css", () => respond(EXPLORER_STYLE, "text/css")],
  ]);
}

function respond(text: string, type: string): Response {
  return new Response(text, { headers: { ...HEADERS, "content-type": `${type}; charset=utf-8` } });
}

function explorerPage(operations: readonly Operation[]): string {
  const services = Map.groupBy(operations, ({ method }) => method.parent.name);
  const sections = [...services].sort(([one], [other]) => one.localeCompare(other)).map(([name, own]) =>
    `<section><h2>${name}</h2>${own.map(operationPart).join("")}</section>`
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Edgehelm explorer</title>` +
    `<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/explorer.css">` +
    `<script src="/explorer.js" defer></script></head><body><h1>Edgehelm</h1>` +
    `<p><label>Access token <input id="token" type="password" autocomplete="off" size="40"></label> ` +
    `<label>Find <input id="find" type="search"></label></p>${sections.join("")}</body></html>`;
}

function operationPart(operation: Operation): string {
  const { path, method, effect } = operation;
  const fields = method.input.fields.map((field) => `<li><code>${field.name}</code> ${typeOf(field)}</li>`).join("");
  return `<details data-path="${path}"><summary><code>${path}</code> <small>${
    callersText(operation)
  } · ${effect}</small>` +
    `</summary><ul>${fields}</ul><textarea rows="4" aria-label="request">${example(method)}</textarea>` +
    `<button type="button">Call</button><pre aria-live="polite"></pre></details>`;
}

function typeOf(field: DescField): string {
  const type = field.message?.name ?? field.enum?.name ?? (field.scalar === undefined ? "" : SCALARS[field.scalar]);
  return field.fieldKind === "list" ? `list of ${type}` : field.fieldKind === "map" ? "map" : type ?? "";
}

const SCALARS: Readonly<Record<number, string>> = {
  1: "double",
  2: "float",
  3: "int64",
  4: "uint64",
  5: "int32",
  8: "bool",
  9: "string",
  12: "bytes (base64, or JSON where the name ends in JSON)",
  13: "uint32",
};

/** Returns an example request with a value for each scalar field. */
function example({ input }: DescMethod): string {
  const members = input.fields.filter(({ fieldKind }) => fieldKind === "scalar").map(({ name, scalar }) =>
    `"${name}": ${scalar === 9 || scalar === 12 ? '""' : scalar === 8 ? "false" : "0"}`
  );
  return `{${members.join(", ")}}`;
}
