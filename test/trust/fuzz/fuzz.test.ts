import { expect, test } from "vitest";
import { shortRun } from "../campaign.ts";
import { fuzz } from "./fuzz.ts";

test("malformed requests of all operations cause no internal error, no death and no hang", async () => {
  const { figures, broken } = await shortRun(fuzz, 3000);
  expect(broken).toEqual([]);
  // The requests must reach handlers and every kind of error, over each wire.
  const outcomes = Object.keys(figures);
  for (
    const outcome of [
      ...["json read 200", "json write 200", "json write 400", "json read 401", "json read 403", "json write 404"],
      ...["grpc read 0", "grpc write 0", "grpc write 3", "grpc read 7", "grpc read 12"],
      ...["connect read 200", "connect write invalid_argument", "connect write permission_denied"],
      ...["grpcweb read grpc 0", "grpcweb write grpc 3", "raw read 400"],
    ]
  ) {
    expect(outcomes).toContain(outcome);
  }
  expect(figures["operationsWithSuccess"]).toBeGreaterThan(150);
});
