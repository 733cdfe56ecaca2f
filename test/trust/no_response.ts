/** Thrown for a call without a response: it may have happened or not. */
export class NoResponse extends Error {
  override readonly name = "NoResponse";
}
