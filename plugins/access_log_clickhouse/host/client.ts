import { kernelErrors, type RpcError } from "edgehelm";

/** The address and credentials of a server. */
export interface ClickHouseAddress {
  /** `http://host:8123` or `https://host:8443`. */
  readonly url: string;
  /** The default is `default`. */
  readonly username?: string;
  readonly password?: string;
  /** The database, which must exist; the default is `default`. */
  readonly database?: string;
}

/** A statement exceeded its time limit. */
export class StatementTimeout extends Error {
  override readonly name = "StatementTimeout";
}

type Client = Awaited<ReturnType<typeof import("@clickhouse/client-web")["createClient"]>>;
type Settings = Readonly<Record<string, string | number>>;
/** Error codes of ClickHouse. */
const [TIMEOUT, MEMORY_LIMIT, TOO_MANY_QUERIES, TOO_MANY_PARTS] = [159, 241, 202, 252];
const WRONG_CREDENTIALS = new Set([192, 193, 194, 516]);
const MAX_ATTEMPTS = 3;
const RETRY_MILLISECONDS = 100;
/** Above the time limit of every statement. */
const REQUEST_MILLISECONDS = 60_000;

/** A connection through the official client. Statements contain literals: old servers lack query parameters. */
export class ClickHouse {
  readonly #address: ClickHouseAddress;
  #client: Promise<Client> | undefined;

  constructor(address: ClickHouseAddress) {
    this.#address = address;
  }

  /** Runs a query and returns its rows as arrays in the order of the columns; 64-bit integers are strings. */
  async rows<Row extends readonly unknown[]>(query: string, seconds: number): Promise<Row[]> {
    const settings = { max_execution_time: Math.max(1, Math.ceil(seconds)), max_query_size: 64 * 1024 * 1024 };
    return await this.#withRetries(async (client) => {
      const response = await client.query({ query, format: "JSONCompact", clickhouse_settings: settings as never });
      return (await response.json() as { data: Row[] }).data;
    });
  }

  /** Runs a statement that changes or deletes something. It may be retried, so it must be idempotent. */
  async command(query: string, settings: Settings = {}): Promise<void> {
    await this.#withRetries(async (client) => {
      await client.command({ query, clickhouse_settings: settings as never });
    });
  }

  /** Inserts rows; their durability depends on the server. It is not retried here, since it is not idempotent. */
  async insert(table: string, values: readonly object[]): Promise<void> {
    try {
      await (await this.#open()).insert({ table, values, format: "JSONEachRow" });
    } catch (error) {
      throw publicError(error);
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
      // its messages contain statements, and those contain data of visitors
      log: { level: ClickHouseLogLevel.OFF },
    });
  }

  /** Retries after errors that may be temporary. */
  async #withRetries<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
    for (let attempt = 1;; attempt++) {
      try {
        return await work(await this.#open());
      } catch (error) {
        const reported = publicError(error);
        const isFinal = reported instanceof StatementTimeout || errorCode(error) !== undefined;
        if (attempt === MAX_ATTEMPTS || isFinal) throw reported;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MILLISECONDS * 2 ** attempt));
      }
    }
  }
}

/** Returns the code of a server error. The client sets it for current servers only; old ones send it in the message. */
function errorCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = /^Code: (\d+)/.exec(error.message)?.[1] ?? (error as { code?: unknown }).code;
  return /^\d+$/.test(String(code)) ? Number(code) : undefined;
}

/** Converts an error to one whose message contains no part of a statement or an address. */
function publicError(error: unknown): Error | RpcError {
  const code = errorCode(error);
  if (code === TIMEOUT) return new StatementTimeout("statement timed out", { cause: error });
  if (code === undefined) {
    if (error instanceof TypeError || error instanceof Error && /fetch|timeout|aborted|network/i.test(error.message)) {
      return kernelErrors.unavailable("the ClickHouse server cannot be reached");
    }
    return error instanceof Error ? error : new Error(String(error));
  }
  if (WRONG_CREDENTIALS.has(code)) {
    return kernelErrors.unavailable("the ClickHouse server rejected the user or password");
  }
  if ([MEMORY_LIMIT, TOO_MANY_QUERIES, TOO_MANY_PARTS].includes(code)) {
    return kernelErrors.unavailable(`the ClickHouse server is overloaded (error ${code})`);
  }
  return new Error(`ClickHouse returned error ${code}`, { cause: error });
}
