import { execFile } from "node:child_process";
import { mkdtemp, rm, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ProbeReceiver } from "../../../../../plugins/ns_node/agent/queries/receiver.ts";

const SEND = `use Socket; socket(my $s, PF_UNIX, SOCK_DGRAM, 0) or die;
my $path = shift; for (@ARGV) { send($s, $_, 0, pack_sockaddr_un($path)) or die "$!\\n" }`;

let folder: string;
let receiver: ProbeReceiver;
const received: string[] = [];
const warnings: string[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgehelm-probe-"));
  received.length = warnings.length = 0;
  const warn = (message: string) => void warnings.push(message);
  receiver = new ProbeReceiver(folder, { info: warn, warn }, (datagram) => received.push(datagram.toString()));
});
afterEach(async () => {
  await receiver.close();
  await rm(folder, { recursive: true, force: true });
});

const path = () => join(folder, "probe01.sock");
const send = (...texts: string[]) => promisify(execFile)("perl", ["-e", SEND, path(), ...texts]);

test("receives datagrams whole and in order", async () => {
  await receiver.listen();
  await send("a", "bb".repeat(400), "c");
  await vi.waitFor(() => expect(received).toEqual(["a", "bb".repeat(400), "c"]));
});

test("listens again when the socket is gone, and once while it is there", async () => {
  await receiver.listen();
  await send("first");
  await vi.waitFor(() => expect(received).toEqual(["first"]));
  await receiver.listen();
  await send("second");
  await unlink(path());
  await receiver.listen();
  await send("third");
  await vi.waitFor(() => expect(received).toEqual(["first", "second", "third"]));
});

test("receives what was sent before it is closed, and nothing after", async () => {
  await receiver.listen();
  await send("early");
  await receiver.close();
  expect(received).toEqual(["early"]);
  await expect(send("late")).rejects.toThrow("refused");
});

test("warns once while it cannot listen", async () => {
  await rm(folder, { recursive: true });
  await receiver.listen();
  await receiver.listen();
  expect(warnings.filter((text) => text === "no queries are received")).toHaveLength(1);
});
