import type { DescMessage } from "@bufbuild/protobuf";
import { jsonCodec } from "edgehelm/wire";
import type { JSX } from "preact";
import { CopyButton } from "../../../parts/copy_button.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Failure } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { callPath } from "../../../shell/call.ts";
import { linkTo } from "../../../shell/route.ts";
import { mayCall, operations } from "../../../shell/state.ts";
import { fill } from "../../../texts/fill.ts";
import { type AccessLog, LIST } from "./access_logs.ts";
import { DetailFields } from "./detail_fields.tsx";
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
      <DetailFields message={message} log={whole} />
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

function jsonOf(message: DescMessage, log: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(JSON.parse(jsonCodec(message).encode(log)), undefined, 2);
}
