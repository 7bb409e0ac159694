// Requests whose status must be the expected one.
import { Agent } from 'node:http';
import { sendJson } from '../support/send-json.js';

/** Shorter than the service keeps an idle connection (65 s), so that no request meets a connection that is just being closed. */
const IDLE_MS = 5_000;
/** How much of a wrong response a message has. */
const SHOWN = 300;

export class Client {
  /** How many requests have got a response, or failed. */
  requests = 0;
  #agent = new Agent({ keepAlive: true, timeout: IDLE_MS });

  /** @param url the address of the API */
  constructor(url) {
    this.url = url;
  }

  /**
   * Sends a request of JSON. Returns `data` of its response.
   * @param isNew whether it takes a connection of its own
   * @throws Error when the status is not `expected`
   */
  async call(method, path, { headers = {}, body, expected = 200, isNew = false } = {}) {
    const agent = isNew ? false : this.#agent;
    const { status, text } = await sendJson(this.url + path, { method, headers, body, agent });
    this.requests += 1;
    if (status !== expected) {
      throw new Error(`${method} ${path} returned ${status}, not ${expected}: ${text.slice(0, SHOWN)}`);
    }
    return JSON.parse(text).data;
  }

  close() {
    this.#agent.destroy();
  }
}
