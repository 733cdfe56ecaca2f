import { expect, test } from "vitest";
import { fuzzGrpc } from "./grpc.ts";

// By hand: test/fuzz/grpc.ts sends 100,000.
test("3,000 malformed calls kill nothing, and none ends as the server's fault", async () => {
  const { statuses, faults } = await fuzzGrpc(20_261_121, 3000);
  expect(faults).toEqual([]);
  // Status 13 is what gRPC wants for a message that is flagged as compressed and cannot be.
  expect(Object.keys(statuses).sort()).toEqual(
    expect.arrayContaining(["status 0", "status 16", "status 3", "status 7"]),
  );
  expect(Object.keys(statuses)).not.toContain("status 2");
}, 120_000);
