// The HTTP client of the benchmark: connections stay open, and responses are read to their end.
import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: true });

/** Sends one request. Returns its status and its body when the response is complete. */
export function send(url, { method = 'GET', headers = {}, body } = {}) {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.once('end', () => resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString() }));
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

/**
 * Lets clients work for a time, each on one piece after the other.
 * @param work does one piece of the client with this number
 * @param clients how many, each with a connection of its own
 * @returns how many pieces were done, and how many per second
 */
export async function repeat(work, roundMs, clients) {
  let count = 0;
  const began = performance.now();
  const client = async (_, number) => {
    while (performance.now() < began + roundMs) {
      await work(number);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return { count, rate: (count / (performance.now() - began)) * 1000 };
}

/** Sends one request and returns its body. @throws Error when the response is not a 200 */
export async function succeed(url, options) {
  const { status, text } = await send(url, options);
  if (status !== 200) throw new Error(`${url} returned ${status}: ${text}`);
  return text;
}

/** Of an odd number of values. */
export const median = (values) => values.toSorted((one, other) => one - other)[(values.length - 1) / 2];

/** Closes the connections. */
export const disconnect = () => agent.destroy();
