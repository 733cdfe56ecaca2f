import type { Comments, ServedApi } from "edgehelm/runtime";
import { CALLING } from "./document.ts";
import { byPath, firstSentence, servicesOf } from "./operations.ts";

/** Returns an overview of the API for language models, in the form that https://llmstxt.org describes. */
export function llmsText(api: ServedApi, comments: Comments): string {
  const operations = byPath(api.operations());
  const sections = servicesOf(operations).flatMap((service) => {
    const own = operations.filter(({ method }) => method.parent.typeName === service.typeName);
    const lines = own.map(({ path, method, roles }) => {
      const sentence = firstSentence(comments[`${service.typeName}.${method.name}`] ?? "");
      return `- \`POST ${path}\` (${[...roles].sort().join(", ")}): ${sentence}`;
    });
    return [`## ${service.name}`, "", comments[service.typeName] ?? "", "", ...lines, ""];
  });
  return [
    ...["# Edgehelm", "", "> The management API of a CDN and DNS network.", "", CALLING, ""],
    ...["- [OpenAPI 3.1](/openapi.json): every operation", "- [JSON Schema](/schemas.json): every message", ""],
    ...sections,
  ].join("\n");
}
