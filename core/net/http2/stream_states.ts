import { ErrorCode, FrameType } from "./protocol.ts";

/**
 * The states of a stream on a server that does not push (RFC 9113, section 5.1). The closed state is divided by its
 * cause, which determines the treatment of late frames.
 */
export type StreamState = "idle" | "open" | "half_closed_remote" | "half_closed_local" | ClosedState;
export type ClosedState = "ended" | "reset_by_peer" | "reset_by_us";

/** The events that change the state of a stream, other than a reset, which leads to a {@link ClosedState}. */
type Event = "receive_end" | "send_end";

export type LiveState = Exclude<StreamState, "idle" | ClosedState>;

export const NEXT_STATE: Readonly<Record<LiveState, Readonly<Record<Event, StreamState>>>> = {
  open: { receive_end: "half_closed_remote", send_end: "half_closed_local" },
  half_closed_remote: { receive_end: "half_closed_remote", send_end: "ended" },
  half_closed_local: { receive_end: "ended", send_end: "half_closed_local" },
};

/** The treatment of a frame that is received in a state. */
export type Verdict =
  | "accept"
  | "ignore"
  | { readonly connectionError: number; readonly streamError?: never }
  | { readonly streamError: number; readonly connectionError?: never };

const protocolError: Verdict = { connectionError: ErrorCode.PROTOCOL_ERROR };
const streamClosed: Verdict = { streamError: ErrorCode.STREAM_CLOSED };
const connectionClosed: Verdict = { connectionError: ErrorCode.STREAM_CLOSED };

type StreamFrame = "DATA" | "HEADERS" | "RST_STREAM" | "WINDOW_UPDATE";

// deno-fmt-ignore
const VERDICTS: Readonly<Record<StreamState, Readonly<Record<StreamFrame, Verdict>>>> = {
  idle:               { DATA: protocolError,    HEADERS: "accept",           RST_STREAM: protocolError, WINDOW_UPDATE: protocolError },
  open:               { DATA: "accept",           HEADERS: "accept",           RST_STREAM: "accept",        WINDOW_UPDATE: "accept" },
  half_closed_local:  { DATA: "accept",           HEADERS: "accept",           RST_STREAM: "accept",        WINDOW_UPDATE: "ignore" },
  half_closed_remote: { DATA: streamClosed,     HEADERS: streamClosed,     RST_STREAM: "accept",        WINDOW_UPDATE: "accept" },
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

/** Returns the treatment of a frame on a stream in a state. */
export function verdictOf(state: StreamState, frameType: number): Verdict {
  return VERDICTS[state][BY_TYPE.get(frameType)!];
}
