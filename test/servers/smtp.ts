import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { makeCertificate } from "./certificate.ts";

const PROGRAM = fileURLToPath(new URL("./smtp.py", import.meta.url));

/** A mail that a server has taken. */
export interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and text, as they were sent. */
  readonly content: string;
  readonly isEncrypted: boolean;
  readonly isAuthenticated: boolean;
}

/** A mail server, whose user is `cdn` with the password `correct horse`. It refuses unknown@ and delays later@. */
export interface SmtpServer extends AsyncDisposable {
  readonly port: number;
  /** The mails that it has taken. */
  readonly mails: readonly TakenMail[];
  /** Called after each mail. */
  readonly listeners: Set<() => void>;
}

/** Starts a mail server on a free port of this machine: without encryption, with STARTTLS, or with TLS. */
export async function startSmtp(
  mode: "plain" | "starttls" | "tls",
  certificate?: ReturnType<typeof makeCertificate>,
): Promise<SmtpServer> {
  const files = certificate === undefined ? [] : [certificate.certFile, certificate.keyFile];
  const server = spawn("/usr/bin/python3", [PROGRAM, mode, ...files], { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  const mails: TakenMail[] = [];
  const listeners = new Set<() => void>();
  let errors = "";
  server.stderr.on("data", (chunk) => errors += chunk);
  const port = await new Promise<number>((resolve, reject) => {
    createInterface({ input: server.stdout }).on("line", (line) => {
      const value = JSON.parse(line) as TakenMail | { readonly port: number };
      if ("port" in value) resolve(value.port);
      else {
        mails.push(value);
        for (const listener of listeners) listener();
      }
    });
    server.once("exit", (code) => reject(new Error(`the mail server ended with code ${code}: ${errors}`)));
  });
  return {
    port,
    mails,
    listeners,
    async [Symbol.asyncDispose]() {
      server.kill();
      await ended;
    },
  };
}
