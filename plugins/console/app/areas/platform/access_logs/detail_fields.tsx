import type { DescField, DescMessage } from "@bufbuild/protobuf";
import type { JSX } from "preact";
import { isForReader } from "../../../parts/fields.ts";
import { bytesText } from "../../../texts/amounts.ts";
import { isBlank, Value } from "../../../parts/value.tsx";
import { words } from "../../../shell/names.ts";
import { linkTo } from "../../../shell/route.ts";
import { commentOf, resources } from "../../../shell/state.ts";
import { type AccessLog, secondsOf } from "./access_logs.ts";
import { durationText } from "../duration.ts";
import { exactTime } from "./rows.tsx";
import { texts } from "./texts.ts";

type WholeLog = AccessLog & Readonly<Record<string, unknown>>;

/** What the dialog shows in another place: the request line, and the time, which a log has four times. */
const ELSEWHERE = [
  ...["requestMethod", "scheme", "host", "requestURI", "request", "requestId"],
  ...["timestamp", "msec", "timeISO8601", "timeLocal"],
];
const SIZES = ["requestLength", "bytesSent", "bodyBytesSent"];

/** The fields of one request that say something, each in its unit. */
export function DetailFields({ message, log }: { message: DescMessage; log: WholeLog }): JSX.Element {
  const { value: text } = texts;
  return (
    <dl class="log-fields">
      <div>
        <dt>{text.time}</dt>
        <dd>{exactTime(secondsOf(log))}</dd>
      </div>
      {message.fields.filter((field) => isShown(field, log)).map((field) => (
        <div key={field.name}>
          <dt title={commentOf(`${message.typeName}.${field.name}`)}>{labelOf(field)}</dt>
          <dd>
            <LogValue field={field} value={log[field.localName]} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function isShown(field: DescField, log: WholeLog): boolean {
  const { localName, fieldKind } = field;
  const value = log[localName];
  if (fieldKind === "map" || ELSEWHERE.includes(localName) || !isForReader(field)) return false;
  if (isBlank(value) || value === 0) return false;
  // the node is there with its name
  return !(localName === "nodeId" && log["node"] !== undefined) && !isRepeated(localName, log);
}

/** True for a field that only says again what another one says. */
function isRepeated(name: string, log: WholeLog): boolean {
  if (name === "queryString") return log["queryString"] === log["args"];
  if (name === "rawRemoteAddr") return log["rawRemoteAddr"] === log.remoteAddr;
  return name === "requestPath" && log["requestPath"] === log.requestURI;
}

function LogValue({ field, value }: { field: DescField; value: unknown }): JSX.Element {
  const { localName } = field;
  if (SIZES.includes(localName)) return <>{bytesText(Number(value))}</>;
  if (localName === "requestTime") return <>{durationText(value as number)}</>;
  if (localName === "requestBody") return <Body bytes={value as Uint8Array} />;
  const object = referred(localName);
  if (object === undefined) return <Value field={field} value={value} />;
  return <a class="link mono" href={linkTo(["resource", object, value as bigint])}>{String(value)}</a>;
}

/** Returns the kind of object that a field names, if the reader can open it. */
function referred(name: string): string | undefined {
  if (!name.endsWith("Id")) return undefined;
  const noun = name.slice(0, -"Id".length).toLowerCase();
  return resources.value.find((resource) =>
    resource.find !== undefined && [noun, `http${noun}`].includes(resource.noun.toLowerCase())
  )?.noun;
}

function labelOf({ localName, name }: DescField): string {
  const known = texts.value.fields as Readonly<Record<string, string>>;
  return known[localName] ?? words(name);
}

/** The body of a request, if it is text. */
function Body({ bytes: body }: { bytes: Uint8Array }): JSX.Element {
  try {
    return <pre class="code">{new TextDecoder("utf-8", { fatal: true }).decode(body)}</pre>;
  } catch {
    return <>{bytesText(body.length)}</>;
  }
}
