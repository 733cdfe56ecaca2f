/** The bytes of a file in chunks of any size. */
export type Chunks = AsyncIterable<Uint8Array>;

/** A piece of a fixed size, or the last one, which may be shorter. */
export interface Piece {
  readonly piece: Uint8Array<ArrayBuffer>;
  readonly number: number;
  readonly isLast: boolean;
}

/** Cuts chunks into pieces of `size` bytes. Without any byte there is one empty piece. */
export async function* inPieces(chunks: Chunks, size: number): AsyncGenerator<Piece> {
  let piece = new Uint8Array(size);
  let filled = 0;
  let number = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length;) {
      // a full piece waits for the next byte, because only then it is known not to be the last
      if (filled === size) {
        yield { piece, number: number++, isLast: false };
        piece = new Uint8Array(size);
        filled = 0;
      }
      const part = chunk.subarray(at, at + size - filled);
      piece.set(part, filled);
      filled += part.length;
      at += part.length;
    }
  }
  yield { piece: piece.subarray(0, filled), number, isLast: true };
}

/** The first line of chunks, with its line feed, and the chunks after it. */
export interface FirstLine {
  /** Undefined if it is longer than the maximum. */
  readonly line: Uint8Array<ArrayBuffer> | undefined;
  readonly rest: Chunks;
  /** Closes what the chunks come from. It is needed only if `rest` is not read. */
  close(): Promise<void>;
}

/** Takes the first line from chunks. */
export async function takeLine(chunks: Chunks, maxBytes: number): Promise<FirstLine> {
  const iterator = chunks[Symbol.asyncIterator]();
  let start = new Uint8Array(0);
  let end = -1;
  while (end < 0 && start.length < maxBytes) {
    const { value, done } = await iterator.next();
    if (done === true) break;
    const longer = new Uint8Array(start.length + value.length);
    longer.set(start);
    longer.set(value, start.length);
    end = longer.indexOf(10, start.length);
    start = longer;
  }
  const isFound = end >= 0 && end < maxBytes;
  return {
    line: isFound ? start.slice(0, end + 1) : undefined,
    rest: following(start.subarray(end + 1), iterator),
    close: async () => void await iterator.return?.(),
  };
}

async function* following(first: Uint8Array, iterator: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield first;
    for (;;) {
      const { value, done } = await iterator.next();
      if (done === true) return;
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}
