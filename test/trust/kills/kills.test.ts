import { expect, test } from "vitest";
import { shortRun } from "../campaign.ts";
import { kills } from "./kills.ts";

test("killing a server loses no acknowledged write, and repeating a change with its key has one effect", async () => {
  const { figures, broken } = await shortRun(kills, 2);
  expect(broken).toEqual([]);
  for (const name of ["http", "connect", "grpcweb", "grpc", "repeated"]) expect(figures[name]).toBeGreaterThan(0);
});
