import type { Operation } from "../api/model.ts";

type Sample = (operation: Operation, request: string, origin: string) => string;

/** Shows a call as other programs make it; `request` is JSON. */
export const SAMPLES = {
  curl: ({ path }, request, origin) =>
    `curl -s -H "X-Cloud-Access-Token: $TOKEN" ${origin}${path} \\\n  -d '${request.replaceAll("'", "'\\''")}'`,
  "buf curl": ({ service, method }, request, origin) =>
    `buf curl --protocol connect -H "X-Cloud-Access-Token: $TOKEN" \\\n  -d '${
      request.replaceAll("'", "'\\''")
    }' \\\n` +
    `  ${origin}/${service.typeName}/${method.name}`,
  TypeScript: ({ service, method }, request, origin) =>
    `const client = createClient({ baseUrl: "${origin}", accessKey });\n` +
    `const response = await client.service(${service.name}).${method.localName}(${request});`,
  Python: ({ path }, request, origin) =>
    `import json, urllib.request\n\nrequest = urllib.request.Request(\n    "${origin}${path}",\n` +
    `    data=json.dumps(json.loads('''${request}''')).encode(),\n    headers={"X-Cloud-Access-Token": token},\n)\n` +
    `print(json.load(urllib.request.urlopen(request))["data"])`,
  CLI: ({ service, method }, request) => {
    const flags = Object.entries(JSON.parse(request) as Record<string, unknown>).map(([name, value]) =>
      ` --${name} ${typeof value === "string" ? `'${value.replaceAll("'", "'\\''")}'` : JSON.stringify(value)}`
    );
    return `edgehelm ${service.name} ${method.localName}${flags.join("")}`;
  },
} as const satisfies Record<string, Sample>;

export type SampleLanguage = keyof typeof SAMPLES;
