import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from "vitest";
import { ApiError, createClient, type Fetch, pages } from "edgehelm/client";
import { as, type TestKernel, testKernel } from "edgehelm/testing";
import trafficPackage from "../../../plugins/traffic_package/plugin.ts";
import { TrafficPackageService } from "../../../plugins/traffic_package/proto/service_traffic_package_pb.ts";
import echo from "../../fixtures/echo/plugin.ts";
import { EchoService } from "../../fixtures/echo/proto/echo_pb.ts";

let edgehelm: TestKernel;
let token: string;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [echo, trafficPackage] });
  token = (await edgehelm.token(as.admin()))!;
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

const send: Fetch = async (input, init) => await edgehelm.fetch(new Request(input, init));
const options = { baseUrl: "http://localhost/", token: () => token, fetch: send, retry: { firstDelayMilliseconds: 1 } };

/** Fails instead of the first requests; `sent` tells if the server gets them all the same. */
function failing(failures: number, sent: boolean, response?: () => Response): Fetch {
  let made = 0;
  return async (input, init) => {
    if (made++ >= failures) return await send(input, init);
    if (sent) await (await send(input, init)).text();
    if (response !== undefined) return response();
    throw new TypeError("connection reset");
  };
}

describe.each(["json", "connect"] as const)("over %s", (protocol) => {
  const client = createClient({ ...options, protocol });

  test("calls operations with types", async () => {
    const echoes = client.service(EchoService);
    const payload = new Uint8Array([1, 2, 255]);
    const answer = await echoes.echo({ payload, number: 2n ** 60n });
    expect(answer).toMatchObject({ payload, number: 2n ** 60n });
    expectTypeOf(answer.number).toEqualTypeOf<bigint>();
    expectTypeOf(echoes.echo).parameter(0).not.toHaveProperty("nothing");
  });

  test("throws errors with code, reason and request id", async () => {
    const failed = client.service(EchoService).echo({ failure: "no bread" });
    await expect(failed).rejects.toBeInstanceOf(ApiError);
    await expect(failed).rejects.toMatchObject({
      code: 400,
      reason: "kernel.invalid_field",
      message: "failure: no bread",
      requestId: expect.stringMatching(/./),
      isTemporary: false,
    });
  });

  test("ends a call on the signal, and after a time", async () => {
    const hanging: Fetch = (_input, { signal }) =>
      new Promise((_resolve, reject) => {
        const abort = () => reject(new TypeError("aborted"));
        if (signal!.aborted) abort();
        else signal!.addEventListener("abort", abort);
      });
    const { echo } = createClient({ ...options, protocol, fetch: hanging }).service(EchoService);
    const controller = new AbortController();
    const call = echo({}, { signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(call).rejects.toThrow("enough");
    await expect(echo({}, { timeoutMilliseconds: 1 })).rejects.toMatchObject({ name: "TimeoutError" });
  });

  test("receives streams", async () => {
    const numbers: bigint[] = [];
    for await (const { number, payload } of client.service(EchoService).expand({ count: 300, size: 1000 })) {
      expect(payload).toHaveLength(1000);
      numbers.push(number);
    }
    expect(numbers).toEqual(Array.from({ length: 300 }, (_, index) => BigInt(index)));
  });

  test("a refused stream is an error", async () => {
    const refused = createClient({ ...options, protocol, token: () => "none" }).service(EchoService).expand({});
    await expect(refused[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 401 });
  });
});

test("a stream that is left early is cancelled", async () => {
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array([0, 0, 0, 0, 0])),
    cancel: () => void (isCancelled = true),
  });
  const { expand } = createClient({ ...options, fetch: () => Promise.resolve(new Response(body)) }).service(
    EchoService,
  );
  for await (const { number } of expand()) {
    expect(number).toBe(0n);
    break;
  }
  expect(isCancelled).toBe(true);
});

test("a stream that breaks off is an error", async () => {
  const body = () => Promise.resolve(new Response(new Uint8Array([0, 0, 0, 0, 0, 2, 0])));
  const { expand } = createClient({ ...options, fetch: body }).service(EchoService);
  await expect(Array.fromAsync(expand())).rejects.toMatchObject({ code: 0, isTemporary: true });
});

describe("retries", () => {
  test("a write whose response was lost has one effect", async () => {
    const { createTrafficPackage, findAllTrafficPackages } = createClient({ ...options, fetch: failing(2, true) })
      .service(TrafficPackageService);
    const { trafficPackageId } = await createTrafficPackage({ size: 7, unit: "gb" });
    const { trafficPackages } = await findAllTrafficPackages();
    expect(trafficPackages.filter(({ size }) => size === 7).map(({ id }) => id)).toEqual([trafficPackageId]);
  });

  test("end after the last attempt", async () => {
    const client = createClient({ ...options, fetch: failing(3, false), retry: { ...options.retry, attempts: 3 } });
    await expect(client.service(EchoService).echo()).rejects.toMatchObject({
      code: 0,
      message: "the server cannot be reached",
    });
  });

  test("are not made of what the server refused", async () => {
    let requests = 0;
    const counted: Fetch = (input, init) => {
      requests++;
      return send(input, init);
    };
    await expect(createClient({ ...options, fetch: counted }).service(EchoService).echo({ failure: "no" })).rejects
      .toThrow();
    expect(requests).toBe(1);
  });

  test("are made when a proxy responds in the place of the server", async () => {
    const page = () => new Response("<h1>Bad Gateway</h1>", { status: 502 });
    const client = createClient({ ...options, fetch: failing(1, false, page) });
    expect(await client.service(EchoService).echo({ number: 5n })).toMatchObject({ number: 5n });
    const never = createClient({ ...options, fetch: failing(9, false, page) });
    await expect(never.service(EchoService).echo()).rejects.toMatchObject({ code: 502, isTemporary: true });
  });

  test("wait as long as the server asks, up to the limit", async () => {
    const busy = () =>
      new Response('{"code":503,"data":{},"message":"busy","reason":"kernel.unavailable"}', {
        headers: { "retry-after": "600" },
      });
    const retry = { attempts: 2, firstDelayMilliseconds: 1, maxDelayMilliseconds: 5 };
    const client = createClient({ ...options, fetch: failing(1, false, busy), retry });
    expect(await client.service(EchoService).echo({ number: 5n })).toMatchObject({ number: 5n });
  });
});

test("pages are fetched as they are needed", async () => {
  const requested: bigint[] = [];
  const list = ({ offset, size }: { offset: bigint; size: bigint }) => {
    requested.push(offset);
    return Promise.resolve({
      items: Array.from({ length: 250 }, (_, index) => index).slice(Number(offset)).slice(0, Number(size)),
    });
  };
  const all = () => pages(list, ({ items }) => items);
  expect(await Array.fromAsync(all())).toEqual(Array.from({ length: 250 }, (_, index) => index));
  expect(requested).toEqual([0n, 100n, 200n]);
  for await (const item of all()) if (item === 99) break;
  expect(requested).toEqual([0n, 100n, 200n, 0n]);
});
