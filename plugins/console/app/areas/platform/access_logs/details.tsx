import { type DescMessage, type Message, toJsonString } from "@bufbuild/protobuf";
import type { JSX } from "preact";
import { CopyButton } from "../../../parts/copy_button.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Failure } from "../../../parts/failure.tsx";
import { isForReader } from "../../../parts/fields.ts";
import { useLoaded } from "../../../parts/loaded.ts";
import { isBlank, Value } from "../../../parts/value.tsx";
import { callPath } from "../../../shell/call.ts";
import { words } from "../../../shell/names.ts";
import { linkTo } from "../../../shell/route.ts";
import { commentOf, mayCall, operations } from "../../../shell/state.ts";
import { fill } from "../../../texts/fill.ts";
import { type AccessLog, LIST } from "./access_logs.ts";
import { addressOf, type Search } from "./search.ts";
import { texts } from "./texts.ts";

const FIND = "HTTPAccessLogService/findHTTPAccessLog";
const MAPS = ["header", "sentHeader", "cookie", "attrs"] as const;

interface DetailsProps {
  readonly log: AccessLog;
  readonly search: Search;
  readonly onClose: () => void;
}

/** All that is known about one request. */
export function Details({ log, search, onClose }: DetailsProps): JSX.Element {
  const { value: text } = texts;
  // lists leave out the request body
  const found = useLoaded(async (signal) => {
    if (!mayCall(FIND)) return log;
    return ((await callPath(FIND, { requestId: log.requestId }, signal))["httpAccessLog"] ?? log) as AccessLog;
  }, [log.requestId]);
  const whole = (found.value ?? log) as AccessLog & Readonly<Record<string, unknown>>;
  const message = messageOfLogs();
  const place = { ...search, place: "any", text: "" };
  const similar = [
    { text: text.sameIp, search: { ...search, ip: log.remoteAddr } },
    { text: text.sameHost, search: { ...search, domain: log.host } },
    { text: text.sameStatus, search: { ...place, place: "status", text: String(log.status) } },
  ];
  return (
    <Dialog title={fill(text.details, { id: log.requestId })} onClose={onClose}>
      <p class="mono request-line">
        <b>{log.requestMethod}</b> {log.scheme}://{log.host}
        {log.requestURI}
      </p>
      <div class="similar">
        {similar.map((other) => (
          <a
            key={other.text}
            class="btn"
            href={linkTo(["access-logs"], addressOf(other.search as Search))}
            onClick={onClose}
          >
            {other.text}
          </a>
        ))}
        <CopyButton text={jsonOf(message, whole)} what={text.copyJson} />
      </div>
      {found.error !== undefined && <Failure error={found.error} onRetry={found.reload} />}
      <dl class="log-fields">
        {message.fields.filter((field) =>
          field.fieldKind !== "map" && isForReader(field) && !isBlank(whole[field.localName]) &&
          whole[field.localName] !== 0
        ).map((field) => (
          <div key={field.name}>
            <dt title={commentOf(`${message.typeName}.${field.name}`)}>{words(field.name)}</dt>
            <dd>
              <Value field={field} value={whole[field.localName]} />
            </dd>
          </div>
        ))}
      </dl>
      {MAPS.map((name) => <Pairs key={name} title={text.headers[name]} pairs={whole[name]} />)}
      <div class="actions">
        <button type="button" class="btn" onClick={onClose}>{text.close}</button>
      </div>
    </Dialog>
  );
}

function Pairs({ title, pairs }: { title: string; pairs: unknown }): JSX.Element | null {
  const entries = Object.entries(pairs ?? {}) as [string, string | { readonly values: readonly string[] }][];
  if (entries.length === 0) return null;
  return (
    <details open>
      <summary>{title}</summary>
      <pre class="code">
        {entries.flatMap(([name, value]) =>
          (typeof value === "string" ? [value] : value.values).map((one) => `${name}: ${one}`)
        ).join("\n")}
      </pre>
    </details>
  );
}

function messageOfLogs(): DescMessage {
  const { method } = operations.value.find(({ path }) => path === `/${LIST}`)!;
  return method.output.fields.find(({ localName }) => localName === "httpAccessLogs")!.message!;
}

function jsonOf(message: DescMessage, log: unknown): string {
  return toJsonString(message, log as Message, { prettySpaces: 2 });
}
