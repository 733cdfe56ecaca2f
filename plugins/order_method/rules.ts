import { invalid, textField } from "edgehelm";
import type { PaymentProvider } from "./contract.ts";

const MAX_URL = 1000;

/** Checks the texts of a method. */
export function textFields(
  request: { name: string; description: string; url: string; clientType: string; qrcodeTitle: string },
) {
  return {
    name: textField("name", request.name, { min: 1 }),
    description: textField("description", request.description, { max: 1000 }),
    url: urlField("url", request.url),
    clientType: textField("clientType", request.clientType, { max: 40 }),
    qrcodeTitle: textField("qrcodeTitle", request.qrcodeTitle),
  };
}

export function codeField(field: string, value: string): string {
  if (/^[\w-]{1,40}$/.test(value)) return value;
  throw invalid(field, `must be 1 to 40 letters, digits, underscores and hyphens, got "${value.slice(0, 60)}"`);
}

/** Returns the provider with this code; undefined for an empty code. */
export function providerField(
  field: string,
  code: string,
  providers: readonly PaymentProvider[],
): PaymentProvider | undefined {
  const provider = providers.find((candidate) => candidate.code === code);
  if (provider !== undefined || code === "") return provider;
  const known = providers.map((candidate) => candidate.code).join(", ");
  throw invalid(field, `must be empty or one of ${known}, got "${code.slice(0, 60)}"`);
}

function urlField(field: string, value: string): string {
  const url = textField(field, value, { max: MAX_URL });
  if (url === "" || (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))) return url;
  throw invalid(field, `must be empty or an address such as https://pay.example.com/, got "${url.slice(0, 60)}"`);
}
