import { FIELDS, SEARCHED_TEXTS } from "../../http_access_log/contract/log_fields.ts";

/** The numbers of a log, in the order of `low` and `high`. */
export const NUMBERS = [
  "serverId",
  "nodeId",
  "firewallPolicyId",
  "firewallRuleGroupId",
  "firewallRuleSetId",
  "status",
] as const;
/** The texts of a log, in the order of `from` and `to`. */
export const TEXTS = SEARCHED_TEXTS;

const NUMBER_OF = new Uint8Array(128);
const TEXT_OF = new Uint8Array(128);
for (const [index, name] of NUMBERS.entries()) NUMBER_OF[FIELDS[name]] = index + 1;
for (const [index, name] of TEXTS.entries()) TEXT_OF[FIELDS[name]] = index + 1;

/** Locates the searched fields in a validated, encoded log. The next `read` overwrites the result. */
export class RowScan {
  readonly low = new Uint32Array(NUMBERS.length);
  readonly high = new Uint32Array(NUMBERS.length);
  readonly from = new Int32Array(TEXTS.length);
  readonly to = new Int32Array(TEXTS.length);
  /** Alternating starts and ends. */
  readonly tags: number[] = [];
  #at = 0;
  #low = 0;
  #high = 0;

  read(bytes: Uint8Array, start: number, end: number): void {
    // for a few elements a loop is faster than `fill`
    for (let index = 0; index < this.low.length; index++) this.low[index] = this.high[index] = 0;
    for (let index = 0; index < this.from.length; index++) this.from[index] = this.to[index] = 0;
    if (this.tags.length > 0) this.tags.length = 0;
    this.#at = start;
    while (this.#at < end) {
      this.#varint(bytes);
      const tag = this.#low;
      const field = tag >>> 3;
      switch (tag & 7) {
        case 0: {
          this.#varint(bytes);
          const index = field < 128 ? NUMBER_OF[field]! : 0;
          if (index > 0) {
            this.low[index - 1] = this.#low;
            this.high[index - 1] = this.#high;
          }
          break;
        }
        case 1:
          this.#at += 8;
          break;
        case 2:
          this.#varint(bytes);
          this.#text(field, this.#at, this.#at += this.#low);
          break;
        case 5:
          this.#at += 4;
          break;
        default:
          this.#skipGroup(bytes, field);
      }
    }
  }

  #text(field: number, from: number, to: number): void {
    if (field >= 128) return;
    const index = TEXT_OF[field]!;
    if (index > 0) {
      this.from[index - 1] = from;
      this.to[index - 1] = to;
    } else if (field === FIELDS.tags) this.tags.push(from, to);
  }

  #varint(bytes: Uint8Array): void {
    let byte = bytes[this.#at++]!;
    if (byte < 0x80) {
      this.#low = byte;
      this.#high = 0;
      return;
    }
    let low = byte & 0x7f;
    let high = 0;
    for (let shift = 7; byte >= 0x80 && shift < 70; shift += 7) {
      byte = bytes[this.#at++]!;
      const bits = byte & 0x7f;
      if (shift < 32) low |= bits << shift;
      if (shift > 32) high |= bits << shift - 32;
      else if (shift > 25) high |= bits >>> 32 - shift;
    }
    this.#low = low >>> 0;
    this.#high = high >>> 0;
  }

  #skipGroup(bytes: Uint8Array, group: number): void {
    for (;;) {
      this.#varint(bytes);
      const [field, type] = [this.#low >>> 3, this.#low & 7];
      if (type === 4 && field === group) return;
      if (type === 0) this.#varint(bytes);
      else if (type === 1) this.#at += 8;
      else if (type === 5) this.#at += 4;
      else if (type === 3) this.#skipGroup(bytes, field);
      else {
        this.#varint(bytes);
        this.#at += this.#low;
      }
    }
  }
}
