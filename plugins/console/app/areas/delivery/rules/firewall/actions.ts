import type { Action } from "./policy.ts";
import { texts } from "./texts.ts";

/** The kind of control that an option of an action has. */
export type OptionKind = "number" | "text" | "long" | "flag" | "words" | "group" | "set" | readonly string[];

type OptionName = keyof typeof texts.value.options;
type Options = readonly (readonly [name: OptionName, kind: OptionKind])[];

const SCOPES = ["service", "global"] as const;
const FAILURES: Options = [["maxFails", "number"], ["failBlockTimeout", "number"], ["failBlockScopeAll", "flag"]];

/** The options of each action, as nodes read them. */
const OPTIONS: Readonly<Record<string, Options>> = {
  block: [
    ...[["statusCode", "number"], ["timeout", "number"], ["timeoutMax", "number"], ["scope", SCOPES]] as const,
    ...[["url", "text"], ["body", "long"]] as const,
  ],
  captcha: [["captchaType", ["default", "oneClick", "slide", "geetest"]], ["life", "number"], ...FAILURES],
  js_cookie: [["life", "number"], ["scope", SCOPES], ...FAILURES],
  get_302: [["life", "number"], ["scope", SCOPES]],
  post_307: [["life", "number"], ["scope", SCOPES]],
  redirect: [["status", "number"], ["url", "text"]],
  page: [["useDefault", "flag"], ["status", "number"], ["body", "long"]],
  record_ip: [["type", ["black", "white", "grey"]], ["timeout", "number"], ["scope", SCOPES]],
  tag: [["tags", "words"]],
  allow: [["scope", ["group", "server", "global"]]],
  go_group: [["groupId", "group"]],
  go_set: [["groupId", "group"], ["setId", "set"]],
};

/** The options of new actions. */
const NEW: Readonly<Record<string, Action["options"]>> = {
  block: { statusCode: 403, timeout: 60 },
  redirect: { status: 307 },
  record_ip: { type: "black", timeout: 3600, scope: "service" },
  allow: { scope: "global" },
};

/** Returns the options that the form of an action has. */
export function optionsOf({ code }: Action): Options {
  return OPTIONS[code] ?? [];
}

/** Returns a new action. */
export function newAction(code: string): Action {
  return { code, options: NEW[code] ?? {} };
}

/** Returns the action with another value of an option; undefined removes it. */
export function withOption(action: Action, name: string, value: unknown): Action {
  const { [name]: _, ...others } = action.options ?? {};
  return { ...action, options: value === undefined ? others : { ...others, [name]: value } };
}

/** Returns the name of an action. */
export function actionText(code: string): string {
  return (texts.value.actions as Readonly<Record<string, string>>)[code] ?? code;
}
