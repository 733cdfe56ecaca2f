import { expect, test } from "vitest";
import { fuzzGrpc } from "./grpc.ts";

// A manual run of test/fuzz/grpc.ts sends 100,000 calls.
test("3,000 malformed calls cause no crash and no internal error", async () => {
  const { statuses, loggedErrors } = await fuzzGrpc(20_261_121, 3000);
  expect(loggedErrors).toEqual([]);
  // gRPC requires status 13 for a message that is flagged as compressed if no compression algorithm was negotiated.
  expect(Object.keys(statuses).sort()).toEqual(
    expect.arrayContaining(["status 0", "status 16", "status 3", "status 7"]),
  );
  expect(Object.keys(statuses)).not.toContain("status 2");
});
