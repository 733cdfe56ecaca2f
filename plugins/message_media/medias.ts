import { type Call, choiceField, invalid, kernelErrors, type Logger, RpcError } from "edgehelm";
import type {
  MessageMediaDriver,
  MessageMedias,
  MessageMediaSummary,
  OutgoingMessage,
  SendResult,
} from "./contract.ts";
import { hasMasks, maskedParams, restoredParams } from "./masked_params.ts";
import { delayed, refused } from "./results.ts";

/** The media of all drivers, in the order of their ids. */
export class Medias implements MessageMedias {
  readonly #drivers = new Map<string, MessageMediaDriver>();
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** @throws Error if a type or an id is there twice */
  add(drivers: readonly MessageMediaDriver[]): void {
    const all = [...this.#drivers.values(), ...drivers].sort((a, b) => a.id < b.id ? -1 : 1);
    this.#drivers.clear();
    for (const driver of all) {
      const { id, type } = driver;
      const twice = [...this.#drivers.values()].find((other) => other.id === id || other.type === type);
      if (twice !== undefined) throw new Error(`media "${type}" (${id}) and "${twice.type}" (${twice.id}) clash`);
      this.#drivers.set(type, driver);
    }
  }

  all(): MessageMediaSummary[] {
    return [...this.#drivers.values()].map(summary);
  }

  find(type: string): MessageMediaSummary | undefined {
    const driver = this.#drivers.get(type);
    return driver && summary(driver);
  }

  requireType(field: string, type: string): MessageMediaSummary {
    return summary(this.#drivers.get(choiceField(field, type, [...this.#drivers.keys()]))!);
  }

  requireParams(field: string, type: string, paramsJSON: Uint8Array): void {
    if (paramsJSON.length === 0) throw invalid(field, "must not be empty");
    this.#drivers.get(type)!.check(field, paramsJSON);
  }

  async requireHosts(call: Call, field: string, type: string, paramsJSON: Uint8Array): Promise<void> {
    const driver = this.#drivers.get(type)!;
    // what another instance sends through is checked there
    if (!driver.canSend) return;
    for (const [member, host] of Object.entries(driver.hosts?.(paramsJSON) ?? {})) {
      await call.requireHost(`${field}.${member}`, host);
    }
  }

  maskParams(type: string, paramsJSON: Uint8Array): Uint8Array {
    const driver = this.#drivers.get(type);
    // without its driver, it is unknown which of them are secrets
    return driver === undefined ? new Uint8Array() : maskedParams(paramsJSON, driver.secrets);
  }

  hasMasks(type: string, paramsJSON: Uint8Array): boolean {
    return hasMasks(paramsJSON, this.#drivers.get(type)?.secrets ?? []);
  }

  restoreParams(type: string, paramsJSON: Uint8Array, stored: Uint8Array): Uint8Array {
    return restoredParams(paramsJSON, stored, this.#drivers.get(type)?.secrets ?? []);
  }

  canSend(type: string): boolean {
    return this.#drivers.get(type)?.canSend === true;
  }

  noticesRepetitions(type: string): boolean {
    return this.#drivers.get(type)?.noticesRepetitions === true;
  }

  async send(call: Call, mediaType: string, message: OutgoingMessage): Promise<SendResult> {
    const driver = this.#drivers.get(mediaType);
    if (driver?.canSend !== true) throw kernelErrors.unavailable(`this instance cannot send through "${mediaType}"`);
    try {
      return await driver.send(call, message);
    } catch (error) {
      if (!(error instanceof RpcError)) {
        this.#log.error("message media failed", { mediaType, id: message.id, error: String(error) });
        return delayed("internal error");
      }
      const isTemporary = error.kind === "unavailable" || error.kind === "deadline";
      return isTemporary ? delayed(error.message, "", error.retryAfterSeconds) : refused(error.message);
    }
  }
}

function summary({ id, type, name, description, userDescription }: MessageMediaDriver): MessageMediaSummary {
  return { id, type, name, description, userDescription, isOn: true };
}
