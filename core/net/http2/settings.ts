import {
  DEFAULT_MAX_FRAME_SIZE,
  ErrorCode,
  Http2ConnectionError,
  MAX_31_BIT,
  MAX_FRAME_SIZE_LIMIT,
  readUint32,
  Setting,
  writeUint32,
} from "./protocol.ts";

const ENTRY_LENGTH = 6;

/**
 * Reads a SETTINGS payload (RFC 9113, section 6.5.2).
 *
 * @returns SETTINGS_INITIAL_WINDOW_SIZE, if it is told: the one that a server needs which sends small frames, pushes
 *   nothing and encodes without a table
 * @throws Http2ConnectionError when a value is not allowed
 */
export function initialWindowIn(bytes: Uint8Array, start: number, end: number): number | undefined {
  let initialWindow: number | undefined;
  for (let at = start; at < end; at += ENTRY_LENGTH) {
    const setting = bytes[at]! << 8 | bytes[at + 1]!;
    const value = readUint32(bytes, at + 2);
    if (setting === Setting.INITIAL_WINDOW_SIZE) {
      if (value > MAX_31_BIT) throw bad("INITIAL_WINDOW_SIZE", value, ErrorCode.FLOW_CONTROL_ERROR);
      initialWindow = value;
    } else if (setting === Setting.MAX_FRAME_SIZE) {
      if (value < DEFAULT_MAX_FRAME_SIZE || value > MAX_FRAME_SIZE_LIMIT) throw bad("MAX_FRAME_SIZE", value);
    } else if (setting === Setting.ENABLE_PUSH && value > 1) throw bad("ENABLE_PUSH", value);
  }
  return initialWindow;
}

function bad(name: string, value: number, code: number = ErrorCode.PROTOCOL_ERROR): Http2ConnectionError {
  return new Http2ConnectionError(code, `SETTINGS_${name} may not be ${value}`);
}

/** @throws Http2ConnectionError when a SETTINGS payload is not whole */
export function checkSettingsLength(length: number): void {
  if (length % ENTRY_LENGTH !== 0) {
    throw new Http2ConnectionError(
      ErrorCode.FRAME_SIZE_ERROR,
      `SETTINGS of ${length} bytes: it must be a multiple of 6`,
    );
  }
}

/** A SETTINGS payload. */
export function settingsPayload(settings: readonly (readonly [setting: number, value: number])[]): Uint8Array {
  const bytes = new Uint8Array(settings.length * ENTRY_LENGTH);
  settings.forEach(([setting, value], index) => {
    bytes[index * ENTRY_LENGTH + 1] = setting;
    writeUint32(bytes, index * ENTRY_LENGTH + 2, value);
  });
  return bytes;
}
