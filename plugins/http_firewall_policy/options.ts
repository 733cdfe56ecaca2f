import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { choiceField, invalid, jsonField, textField } from "edgehelm";
import {
  type HTTPFirewallBlock,
  HTTPFirewallBlockSchema,
  type HTTPFirewallCaptcha,
  HTTPFirewallCaptchaSchema,
  type HTTPFirewallJSCookie,
  HTTPFirewallJSCookieSchema,
  HTTPFirewallLogSchema,
  type HTTPFirewallPage,
  HTTPFirewallPageSchema,
  type SYNFlood,
  SYNFloodSchema,
} from "./proto/shapes_pb.ts";
import type { PolicyRow } from "./store.ts";

const SCOPES = ["global", "service"] as const;
const CAPTCHA_TYPES = ["default", "oneClick", "slide", "geetest"] as const;
/** The maximum number of characters in a page. */
const MAX_PAGE_LENGTH = 65_536;

/** One kind of options: the request field, the JSON column, its shape, and the check of its values. */
interface Options<Desc extends DescMessage> {
  readonly field: string;
  readonly column: OptionColumn;
  readonly shape: Desc;
  readonly check: (path: string, options: MessageShape<Desc>) => void;
}
type OptionColumn =
  | "blockOptionsJSON"
  | "captchaOptionsJSON"
  | "pageOptionsJSON"
  | "jsCookieOptionsJSON"
  | "synFloodJSON"
  | "logJSON";

function options<Desc extends DescMessage>(
  column: OptionColumn,
  shape: Desc,
  check: Options<Desc>["check"],
  field: string = column,
): Options<Desc> {
  return { field, column, shape, check };
}

export const policyOptions = {
  block: options("blockOptionsJSON", HTTPFirewallBlockSchema, checkBlock),
  captcha: options("captchaOptionsJSON", HTTPFirewallCaptchaSchema, checkCaptcha),
  page: options("pageOptionsJSON", HTTPFirewallPageSchema, checkPage),
  jsCookie: options("jsCookieOptionsJSON", HTTPFirewallJSCookieSchema, checkJSCookie),
  synFlood: options("synFloodJSON", SYNFloodSchema, checkSYNFlood),
  log: options("logJSON", HTTPFirewallLogSchema, () => {}, "LogJSON"),
} as const;

/** Checks one kind of options in a request. Returns the bytes to store: the current ones if the request has none. */
export function checkedOptions<Desc extends DescMessage>(
  { field, shape, check }: Options<Desc>,
  requested: Uint8Array,
  current: Uint8Array,
): Uint8Array {
  const value = jsonField(field, requested, shape);
  if (value === undefined) return current;
  check(field, value);
  return requested;
}

/** Returns one kind of options of a policy, or undefined if it has none. */
export function optionsOf<Desc extends DescMessage>(
  { column, shape }: Options<Desc>,
  row: PolicyRow,
): MessageShape<Desc> | undefined {
  return jsonField(column, row[column], shape);
}

function checkBlock(path: string, { statusCode, body, url, timeout, timeoutMax, scope }: HTTPFirewallBlock): void {
  statusField(`${path}.statusCode`, statusCode);
  textField(`${path}.body`, body, { max: MAX_PAGE_LENGTH });
  textField(`${path}.url`, url, { max: 1000 });
  countFields(path, { timeout, timeoutMax });
  if (timeoutMax !== 0 && timeoutMax < timeout) {
    throw invalid(`${path}.timeoutMax`, `must be at least the timeout of ${timeout}, got ${timeoutMax}`);
  }
  scopeField(`${path}.scope`, scope);
}

function checkCaptcha(path: string, captcha: HTTPFirewallCaptcha): void {
  const { life, maxFails, failBlockTimeout, countLetters, captchaType, uiBody } = captcha;
  countFields(path, { life, maxFails, failBlockTimeout, countLetters });
  if (countLetters > 20) throw invalid(`${path}.countLetters`, `must be at most 20, got ${countLetters}`);
  if (captchaType !== "") choiceField(`${path}.captchaType`, captchaType, CAPTCHA_TYPES);
  textField(`${path}.uiBody`, uiBody, { max: MAX_PAGE_LENGTH });
}

function checkPage(path: string, { status, body }: HTTPFirewallPage): void {
  statusField(`${path}.status`, status);
  textField(`${path}.body`, body, { max: MAX_PAGE_LENGTH });
}

function checkJSCookie(path: string, { life, maxFails, failBlockTimeout, scope }: HTTPFirewallJSCookie): void {
  countFields(path, { life, maxFails, failBlockTimeout });
  scopeField(`${path}.scope`, scope);
}

function checkSYNFlood(path: string, { minAttempts, timeoutSeconds }: SYNFlood): void {
  countFields(path, { minAttempts, timeoutSeconds });
}

function statusField(path: string, status: number): void {
  if (status !== 0 && (status < 100 || status > 999)) {
    throw invalid(path, `must be 0 or a status code 100 to 999, got ${status}`);
  }
}

function scopeField(path: string, scope: string): void {
  if (scope !== "") choiceField(path, scope, SCOPES);
}

function countFields(path: string, counts: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(counts)) {
    if (count < 0) throw invalid(`${path}.${name}`, `must not be negative, got ${count}`);
  }
}
