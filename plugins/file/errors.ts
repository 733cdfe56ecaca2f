import { defineErrors } from "edgehelm";

export const errors = defineErrors("file", {
  not_found: ["not_found", (id: bigint) => `file ${id} does not exist`],
  incomplete: [
    "conflict",
    (id: bigint, received: bigint, size: bigint) =>
      `file ${id} has ${received} of its ${size} bytes: upload the rest first`,
  ],
});
