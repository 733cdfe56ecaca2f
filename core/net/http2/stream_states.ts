import { ErrorCode, FrameType } from "./protocol.ts";

/**
 * The states of a stream that a server can see (RFC 9113, section 5.1); "reserved" needs push, which is not used.
 * A closed one differs by how it was closed, since late frames mean different things.
 */
export type StreamState = "idle" | "open" | "half_closed_remote" | "half_closed_local" | ClosedState;
export type ClosedState = "ended" | "reset_by_peer" | "reset_by_us";

/** What moves a stream from state to state. A stream that is reset goes where {@link ClosedState} says. */
type Event = "receive_end" | "send_end";

export type LiveState = Exclude<StreamState, "idle" | ClosedState>;

export const NEXT_STATE: Readonly<Record<LiveState, Readonly<Record<Event, StreamState>>>> = {
  open: { receive_end: "half_closed_remote", send_end: "half_closed_local" },
  half_closed_remote: { receive_end: "half_closed_remote", send_end: "ended" },
  half_closed_local: { receive_end: "ended", send_end: "half_closed_local" },
};

/** What becomes of a frame that comes in a state. */
export type Verdict =
  | "take"
  | "ignore"
  | { readonly connectionError: number; readonly streamError?: never }
  | { readonly streamError: number; readonly connectionError?: never };

const protocolError: Verdict = { connectionError: ErrorCode.PROTOCOL_ERROR };
const streamClosed: Verdict = { streamError: ErrorCode.STREAM_CLOSED };
const connectionClosed: Verdict = { connectionError: ErrorCode.STREAM_CLOSED };

type StreamFrame = "DATA" | "HEADERS" | "RST_STREAM" | "WINDOW_UPDATE";

// deno-fmt-ignore
const VERDICTS: Readonly<Record<StreamState, Readonly<Record<StreamFrame, Verdict>>>> = {
  idle:               { DATA: protocolError,    HEADERS: "take",           RST_STREAM: protocolError, WINDOW_UPDATE: protocolError },
  open:               { DATA: "take",           HEADERS: "take",           RST_STREAM: "take",        WINDOW_UPDATE: "take" },
  half_closed_local:  { DATA: "take",           HEADERS: "take",           RST_STREAM: "take",        WINDOW_UPDATE: "ignore" },
  half_closed_remote: { DATA: streamClosed,     HEADERS: streamClosed,     RST_STREAM: "take",        WINDOW_UPDATE: "take" },
  ended:              { DATA: connectionClosed, HEADERS: connectionClosed, RST_STREAM: "ignore",      WINDOW_UPDATE: "ignore" },
  reset_by_peer:      { DATA: streamClosed,     HEADERS: streamClosed,     RST_STREAM: "ignore",      WINDOW_UPDATE: "ignore" },
  reset_by_us:        { DATA: "ignore",         HEADERS: "ignore",         RST_STREAM: "ignore",      WINDOW_UPDATE: "ignore" },
};

const BY_TYPE: ReadonlyMap<number, StreamFrame> = new Map<number, StreamFrame>([
  [FrameType.DATA, "DATA"],
  [FrameType.HEADERS, "HEADERS"],
  [FrameType.RST_STREAM, "RST_STREAM"],
  [FrameType.WINDOW_UPDATE, "WINDOW_UPDATE"],
]);

/** What becomes of a frame of this type on a stream in this state. */
export function verdictOf(state: StreamState, frameType: number): Verdict {
  return VERDICTS[state][BY_TYPE.get(frameType)!];
}
