import { createSocket } from "node:dgram";
import { type Answer, decode, encode, type Question } from "dns-packet";

/** A DNS server whose answers a function of the test gives. */
export interface DnsServer extends AsyncDisposable {
  /** The address of the server, `127.0.0.1:<port>`. */
  readonly address: string;
  readonly questions: readonly Question[];
}

/**
 * Starts a DNS server on a free UDP port.
 *
 * @param answers returns the records of a question; none means that the name does not exist
 */
export async function startDns(answers: (question: Question) => Promise<readonly Answer[]>): Promise<DnsServer> {
  const socket = createSocket("udp4");
  const questions: Question[] = [];
  socket.on("message", async (message, { port, address }) => {
    const query = decode(message);
    const [question] = query.questions ?? [];
    if (question === undefined) return;
    questions.push(question);
    let found: readonly Answer[] = [];
    let rcode = 0;
    try {
      found = await answers({ ...question, name: question.name.toLowerCase() });
    } catch {
      rcode = 2;
    }
    const response = encode({
      type: "response",
      id: query.id ?? 0,
      // authoritative, and recursion is available
      flags: 0x0480 | rcode,
      questions: [question],
      answers: [...found],
    });
    socket.send(response, port, address, () => {});
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("error", reject);
    socket.bind(0, "127.0.0.1", resolve);
  });
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
}
