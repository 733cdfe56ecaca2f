import { defineErrors } from "edgehelm";

export const errors = defineErrors("file_chunk", {
  chunk_size: [
    "too_large",
    (max: number, got: number) => `data: must have 1 to ${max} bytes, the limit of remote databases, got ${got}`,
  ],
  chunk_empty: ["invalid", (max: number) => `data: must have 1 to ${max} bytes, got none`],
  file_finished: ["conflict", (id: bigint) => `file ${id} is finished and accepts no more chunks`],
  file_full: [
    "conflict",
    (id: bigint, size: bigint, total: bigint) =>
      `file ${id} has a size of ${size} bytes, with this chunk it would have ${total}`,
  ],
});
