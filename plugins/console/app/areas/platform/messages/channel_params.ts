/** A parameter of a kind of channel, and what it is typed into. */
export interface Param {
  readonly name: string;
  readonly control: "text" | "secret" | "long" | "choice" | "pairs";
  readonly isRequired?: true;
  /** An example of the text. */
  readonly example?: string;
  /** The values of a choice; the first one is meant by a parameter that is not set. */
  readonly values?: readonly string[];
  /** The parameter is shown only if another one has this value. */
  readonly when?: readonly [name: string, value: string];
}

const FORMAT: Param = { name: "textFormat", control: "choice", values: ["text", "markdown"] };
const ROBOT: readonly Param[] = [{ name: "webHookURL", control: "secret", isRequired: true }, FORMAT];

const PARAMS: Readonly<Record<string, readonly Param[]>> = {
  email: [
    { name: "smtp", control: "text", isRequired: true, example: "smtp.example.com:465" },
    { name: "username", control: "text" },
    { name: "password", control: "secret" },
    { name: "from", control: "text", example: "cdn@example.com" },
    { name: "encryption", control: "choice", values: ["", "tls", "startTLS", "none"] },
    { name: "ca", control: "long" },
  ],
  webHook: [
    { name: "url", control: "text", isRequired: true, example: "https://hook.example.com/messages" },
    { name: "method", control: "choice", values: ["POST", "GET"] },
    { name: "secret", control: "secret" },
    { name: "headers", control: "pairs" },
    { name: "contentType", control: "choice", values: ["params", "body"] },
    { name: "params", control: "pairs", when: ["contentType", "params"] },
    { name: "body", control: "long", when: ["contentType", "body"] },
  ],
  dingTalk: ROBOT,
  qyWeixinRobot: ROBOT,
  qyWeixin: [
    { name: "corporateId", control: "text", isRequired: true },
    { name: "agentId", control: "text", isRequired: true },
    { name: "appSecret", control: "secret", isRequired: true },
    FORMAT,
  ],
  aliyunSms: [
    { name: "sign", control: "text", isRequired: true },
    { name: "templateCode", control: "text", isRequired: true },
    { name: "accessKeyId", control: "text", isRequired: true },
    { name: "accessKeySecret", control: "secret", isRequired: true },
    { name: "variables", control: "pairs" },
  ],
  slack: [{ name: "webHookURL", control: "secret", isRequired: true }],
  telegram: [{ name: "token", control: "secret", isRequired: true }],
};

/** Returns the parameters of a kind of channel; undefined if the form does not know the kind. */
export function paramsOfKind(type: string): readonly Param[] | undefined {
  return Object.hasOwn(PARAMS, type) ? PARAMS[type] : undefined;
}
