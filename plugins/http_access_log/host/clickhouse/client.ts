import { kernelErrors, type RpcError } from "edgehelm";

/** Where the server is, and who asks. */
export interface ClickHouseAddress {
  /** `http://host:8123` or `https://host:8443`. */
  readonly url: string;
  /** `default` unless told. */
  readonly username?: string;
  readonly password?: string;
  /** Exists already; `default` unless told. */
  readonly database?: string;
}

/** A statement went on for longer than it was allowed to. */
export class TookTooLong extends Error {
  override readonly name = "TookTooLong";
}

type Client = Awaited<ReturnType<typeof import("@clickhouse/client-web")["createClient"]>>;
type Settings = Readonly<Record<string, string | number>>;
/** The numbers that servers give their errors. */
const [TIMEOUT, TOO_LARGE_MEMORY, TOO_MANY_QUERIES, TOO_MANY_PARTS] = [159, 241, 202, 252];
const WRONG_CREDENTIALS = new Set([192, 193, 194, 516]);
const TRIES = 3;
const FIRST_PAUSE = 100;
/** Longer than any statement may take. */
const REQUEST_MILLISECONDS = 60_000;

/** A server, through the official client. Statements are text with literals: old servers know no parameters. */
export class ClickHouse {
  readonly #address: ClickHouseAddress;
  #client: Promise<Client> | undefined;

  constructor(address: ClickHouseAddress) {
    this.#address = address;
  }

  /** Rows as arrays, in the order of the columns; integers of 64 bits are texts. */
  async rows<Row extends readonly unknown[]>(query: string, seconds: number): Promise<Row[]> {
    const settings = { max_execution_time: Math.max(1, Math.ceil(seconds)), max_query_size: 64 * 1024 * 1024 };
    return await this.#retried(async (client) => {
      const answer = await client.query({ query, format: "JSONCompact", clickhouse_settings: settings as never });
      return (await answer.json() as { data: Row[] }).data;
    });
  }

  /** Changes the schema, or drops something; doing it twice must do no harm. */
  async command(query: string, settings: Settings = {}): Promise<void> {
    await this.#retried(async (client) => {
      await client.command({ query, clickhouse_settings: settings as never });
    });
  }

  /** Durable as far as the server is when it resolves. Whoever tries it again looks first what is there. */
  async insert(table: string, values: readonly object[]): Promise<void> {
    try {
      await (await this.#open()).insert({ table, values, format: "JSONEachRow" });
    } catch (error) {
      throw faultOf(error);
    }
  }

  async close(): Promise<void> {
    await (await this.#client?.catch(() => undefined))?.close();
  }

  #open(): Promise<Client> {
    return this.#client ??= this.#connect().catch((error) => {
      this.#client = undefined;
      throw error;
    });
  }

  async #connect(): Promise<Client> {
    const { url, username = "default", password = "", database = "default" } = this.#address;
    const { createClient, ClickHouseLogLevel } = await import("@clickhouse/client-web").catch((error) => {
      throw kernelErrors.unavailable(
        `the package @clickhouse/client-web is not installed: ${error.code ?? "no module"}`,
      );
    });
    return createClient({
      ...{ url, username, password, database },
      request_timeout: REQUEST_MILLISECONDS,
      // its messages hold statements, and with them what visitors asked for
      log: { level: ClickHouseLogLevel.OFF },
    });
  }

  /** Tries again after a fault that may pass. */
  async #retried<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
    for (let tries = 1;; tries++) {
      try {
        return await work(await this.#open());
      } catch (error) {
        const fault = faultOf(error);
        if (tries === TRIES || fault instanceof TookTooLong || numberOf(error) !== undefined) throw fault;
        await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE * 2 ** tries));
      }
    }
  }
}

/** The number of a server's error. The client reads it from current servers only, old ones say it in the text. */
function numberOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const found = /^Code: (\d+)/.exec(error.message)?.[1] ?? (error as { code?: unknown }).code;
  return /^\d+$/.test(String(found)) ? Number(found) : undefined;
}

/** What is told of a fault: nothing that a statement or an address holds. */
function faultOf(error: unknown): Error | RpcError {
  const number = numberOf(error);
  if (number === TIMEOUT) return new TookTooLong("a statement took too long", { cause: error });
  if (number === undefined) {
    if (error instanceof TypeError || error instanceof Error && /fetch|timeout|aborted|network/i.test(error.message)) {
      return kernelErrors.unavailable("the ClickHouse server cannot be reached");
    }
    return error instanceof Error ? error : new Error(String(error));
  }
  if (WRONG_CREDENTIALS.has(number)) return kernelErrors.unavailable("the ClickHouse server refuses user or password");
  if ([TOO_LARGE_MEMORY, TOO_MANY_QUERIES, TOO_MANY_PARTS].includes(number)) {
    return kernelErrors.unavailable(`the ClickHouse server is overloaded (error ${number})`);
  }
  return new Error(`ClickHouse answered with error ${number}`, { cause: error });
}
