import { createHash } from "node:crypto";
import { type Call, kernelErrors, RpcError } from "edgehelm";
import ssh2, { type Client as SSHClient, type ServerHostKeyAlgorithm } from "ssh2";
import type { ConnectOptions, HostKey, Machine, MachineLogin } from "../machine.ts";
import { duplexOf } from "./duplex.ts";
import { SSHMachine } from "./ssh_machine.ts";

const READY_MILLISECONDS = 20_000;
const KEEPALIVE_MILLISECONDS = 10_000;
/** The algorithms of host keys, the preferred one first. */
const KEY_ALGORITHMS: ServerHostKeyAlgorithm[] = [
  "ssh-ed25519",
  "ecdsa-sha2-nistp256",
  "ecdsa-sha2-nistp384",
  "ecdsa-sha2-nistp521",
  "rsa-sha2-512",
  "rsa-sha2-256",
];

/** Opens an SSH connection over a connection of the outgoing client, whose guard has checked the address. */
export async function connectMachine(call: Call, login: MachineLogin, options: ConnectOptions): Promise<Machine> {
  const { host, port } = login;
  const { signal, timeoutMilliseconds } = options;
  requireUsableKey(login);
  const client = new ssh2.Client();
  const connection = await call.connect({ host, port, signal, timeoutMilliseconds });
  try {
    const machine = new SSHMachine(client, signal, () => connection.close());
    await ready(client, signal, {
      sock: duplexOf(connection),
      username: login.username,
      ...credentialsOf(login),
      algorithms: { serverHostKey: preferring(options.keyType) },
      hostVerifier: (bytes: Uint8Array, done: (isValid: boolean) => void) => {
        options.verify(hostKeyOf(bytes)).then(done, () => done(false));
      },
      readyTimeout: READY_MILLISECONDS,
      keepaliveInterval: KEEPALIVE_MILLISECONDS,
    }, login);
    return machine;
  } catch (error) {
    client.destroy();
    connection.close();
    throw signal.aborted ? signal.reason : error instanceof RpcError ? error : loginError(login, error);
  }
}

/** Waits until the login succeeded. */
function ready(
  client: SSHClient,
  signal: AbortSignal,
  config: Parameters<SSHClient["connect"]>[0],
  { password }: MachineLogin,
): Promise<void> {
  return new Promise((resolve, reject) => {
    client.once("ready", resolve);
    // also later, when an error without a listener would end the process
    client.on("error", reject);
    client.once("close", () => reject(new Error("the machine closed the connection")));
    client.on("keyboard-interactive", (_name, _instructions, _language, prompts, finish) => {
      finish(prompts.map(({ echo = false }) => echo ? "" : password));
    });
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    client.connect(config);
  });
}

function credentialsOf({ password, privateKey, passphrase }: MachineLogin) {
  if (privateKey === "") return { password, tryKeyboard: true };
  return { privateKey, ...(passphrase !== "" && { passphrase }) };
}

/** @throws RpcError unavailable, if the key cannot be read or its passphrase is wrong */
function requireUsableKey({ privateKey, passphrase }: MachineLogin): void {
  if (privateKey === "") return;
  const parsed = ssh2.utils.parseKey(privateKey, passphrase === "" ? undefined : passphrase);
  const key: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  // the library's text says why, and contains nothing of the key
  if (key instanceof Error) {
    throw kernelErrors.unavailable(`the private key of the grant cannot be used: ${key.message}`);
  }
}

function hostKeyOf(bytes: Uint8Array): HostKey {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  const type = new TextDecoder().decode(bytes.subarray(4, 4 + Math.min(length, 64)));
  const sum = createHash("sha256").update(bytes).digest("base64").replace("=", "");
  return { type, fingerprint: `SHA256:${sum}` };
}

/** A machine with several keys must send the one that is known, not the one that the library likes most. */
function preferring(type: string): ServerHostKeyAlgorithm[] {
  const isPreferred = (name: string) => type === "ssh-rsa" ? name.startsWith("rsa-") : name === type;
  return [...KEY_ALGORITHMS.filter(isPreferred), ...KEY_ALGORITHMS.filter((name) => !isPreferred(name))];
}

function loginError({ host, port, username }: MachineLogin, error: unknown): RpcError {
  const { level, message } = error as { readonly level?: string; readonly message?: string };
  const cause = level === "client-authentication" ? `${username} was refused` : String(message ?? error);
  return kernelErrors.unavailable(`login to ${host} port ${port}: ${cause}`);
}
