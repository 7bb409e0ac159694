// The HTTP client of the benchmarks: connections stay open, and responses are read to their end.
import { Agent, request } from 'node:http';

export const CLIENTS = 16;
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
 * Lets clients send requests for a time, each one after the other.
 * @param next returns the next request of the client with this number
 * @param clients how many, each with a connection of its own
 * @returns requests per second, and the latencies in milliseconds in ascending order
 * @throws Error when a response is not a 200
 */
export async function load(next, roundMs, clients = CLIENTS) {
  const latencies = [];
  const began = performance.now();
  const client = async (_, number) => {
    while (performance.now() < began + roundMs) {
      const { url, ...options } = next(number);
      const sent = performance.now();
      const { status, text } = await send(url, options);
      if (status !== 200) throw new Error(`${url} returned ${status}: ${text}`);
      latencies.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return {
    rate: (latencies.length / (performance.now() - began)) * 1000,
    latencies: latencies.sort((one, other) => one - other),
  };
}

/** The value below which a share of ascending values lies. */
export const quantile = (ascending, share) =>
  ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))];

export const median = (values) =>
  quantile(
    values.toSorted((one, other) => one - other),
    0.5,
  );

/** Closes the connections. */
export const disconnect = () => agent.destroy();
