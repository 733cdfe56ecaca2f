import { existsSync } from "node:fs";
import { join } from "node:path";
import { Installation } from "../../installation/installation.ts";
import { startCommand } from "../../installation/start_command.ts";
import type { TemporaryFolder } from "../../installation/temporary_folder.ts";
import { GrpcLoad } from "../../load/h2load.ts";
import { cpuFigure } from "../../report/figure.ts";
import type { Measurement } from "../../suite.ts";
import { grpcMeasurement, type GrpcTarget } from "../../measurement/grpc.ts";
import { httpMeasurement } from "../../measurement/http.ts";

const HELLO_PATH = "/pb.HelloWorldService/SayHello";
/** `{id: 7, name: "Ada"}` */
const HELLO = Uint8Array.of(8, 7, 18, 3, 65, 100, 97);
/** The number of unary calls that a server completes in about a second. */
const CALLS_PER_SECOND = 100_000;
const STREAMED = 50_000;
const STREAMS = 3;
/** `{count: STREAMED, size: 100}` */
const EXPAND = Uint8Array.of(8, STREAMED & 127 | 128, STREAMED >> 7 & 127 | 128, STREAMED >> 14, 16, 100);
const ECHO = "test/fixtures/echo";

/** The call of unary echoes; peers ignore the headers. */
export function helloLoad(folder: TemporaryFolder, headers: Readonly<Record<string, string>> = {}): GrpcLoad {
  return new GrpcLoad({ path: HELLO_PATH, headers, message: HELLO }, folder);
}

/** The default installation on Deno and on Node, with the echo service of the tests for its streams. */
export class TransportInstallations implements AsyncDisposable {
  readonly onDeno: Installation;
  readonly onNode: Installation;
  readonly #root: string;
  readonly #folder: TemporaryFolder;

  constructor(root: string, folder: TemporaryFolder) {
    const manifest = { manifest: withEcho(root) };
    this.onDeno = new Installation(root, manifest);
    this.onNode = new Installation(root, { ...manifest, command: startCommand(root, "node") });
    this.#root = root;
    this.#folder = folder;
  }

  async start(): Promise<void> {
    await this.onDeno.start();
    await this.onNode.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.onDeno.stop(), this.onNode.stop()]);
  }

  /** Unary echoes to an installation. */
  hello(installation: Installation): GrpcTarget {
    const { server, grpcPort: port, headers } = installation;
    return { server, port, load: helloLoad(this.#folder, headers) };
  }

  measurements(seconds: number): Measurement[] {
    const { onDeno } = this;
    const calls = Math.round(CALLS_PER_SECOND * seconds);
    const json = () => ({
      path: "/HelloWorldService/sayHello",
      headers: onDeno.headers,
      body: '{"id":"7","name":"Ada"}',
      expected: "hello, Ada (7)",
    });
    const all = [
      grpcMeasurement("grpc", calls, () => this.hello(onDeno)),
      grpcMeasurement("grpc_on_node", calls, () => this.hello(this.onNode)),
      httpMeasurement("json", () => onDeno.server, json, { connections: 32, seconds }),
    ];
    return existsSync(join(this.#root, ECHO)) ? [...all, this.#streamed()] : all;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.onDeno[Symbol.asyncDispose](), this.onNode[Symbol.asyncDispose]()]);
  }

  /** One server stream of many messages of 100 bytes: processor time per message. */
  #streamed(): Measurement {
    return {
      figures: [cpuFigure("stream_message")],
      measure: async () => {
        const { server, grpcPort: port, headers } = this.onDeno;
        const call = { path: "/edgehelm.test.echo.EchoService/expand", headers, message: EXPAND };
        const load = new GrpcLoad(call, this.#folder);
        const before = server.cpuMicroseconds();
        // the load makes the call once before, to see that it succeeds
        await load.run({ port, connections: 1, streams: 1, calls: STREAMS });
        return [(server.cpuMicroseconds() - before) / ((STREAMS + 1) * STREAMED)];
      },
    };
  }
}

function withEcho(root: string) {
  return <M extends { plugins: readonly object[] }>(manifest: M): M => {
    const path = join(root, ECHO);
    return existsSync(path) ? { ...manifest, plugins: [...manifest.plugins, { use: path }] } : manifest;
  };
}
