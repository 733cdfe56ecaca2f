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
 * Checks a SETTINGS payload (RFC 9113, section 6.5.2). This server sends frames of the minimum size, does not push, and
 * does not use the dynamic table, so that it needs only one of the settings.
 *
 * @returns SETTINGS_INITIAL_WINDOW_SIZE, if it is present
 * @throws Http2ConnectionError if a value is out of range
 */
export function initialWindowIn(bytes: Uint8Array, start: number, end: number): number | undefined {
  let initialWindow: number | undefined;
  for (let at = start; at < end; at += ENTRY_LENGTH) {
    const setting = bytes[at]! << 8 | bytes[at + 1]!;
    const value = readUint32(bytes, at + 2);
    if (setting === Setting.INITIAL_WINDOW_SIZE) {
      if (value > MAX_31_BIT) throw invalidSetting("INITIAL_WINDOW_SIZE", value, ErrorCode.FLOW_CONTROL_ERROR);
      initialWindow = value;
    } else if (setting === Setting.MAX_FRAME_SIZE) {
      if (value < DEFAULT_MAX_FRAME_SIZE || value > MAX_FRAME_SIZE_LIMIT) throw invalidSetting("MAX_FRAME_SIZE", value);
    } else if (setting === Setting.ENABLE_PUSH && value > 1) throw invalidSetting("ENABLE_PUSH", value);
  }
  return initialWindow;
}

function invalidSetting(name: string, value: number, code: number = ErrorCode.PROTOCOL_ERROR): Http2ConnectionError {
  return new Http2ConnectionError(code, `SETTINGS_${name} must not be ${value}`);
}

/** @throws Http2ConnectionError if the length of a SETTINGS payload is invalid */
export function checkSettingsLength(length: number): void {
  if (length % ENTRY_LENGTH !== 0) {
    throw new Http2ConnectionError(
      ErrorCode.FRAME_SIZE_ERROR,
      `SETTINGS of ${length} bytes, which is not a multiple of ${ENTRY_LENGTH}`,
    );
  }
}

/** Encodes a SETTINGS payload. */
export function settingsPayload(settings: readonly (readonly [setting: number, value: number])[]): Uint8Array {
  const bytes = new Uint8Array(settings.length * ENTRY_LENGTH);
  settings.forEach(([setting, value], index) => {
    bytes[index * ENTRY_LENGTH + 1] = setting;
    writeUint32(bytes, index * ENTRY_LENGTH + 2, value);
  });
  return bytes;
}
