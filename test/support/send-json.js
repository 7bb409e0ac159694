// For scripts that run without Jest. Specs use `Client`.
import { request } from 'node:http';

/**
 * Sends a request and reads its response to the end.
 * @param body a string as it is, anything else as JSON; absent: none
 * @param agent that of `node:http`; false: a connection of its own
 * @returns the status (0: no response), and the text of the response or of the error
 */
export function sendJson(url, { method = 'GET', headers = {}, body, agent }) {
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  return new Promise((resolve) => {
    const failed = ({ message }) => resolve({ status: 0, text: message });
    const outgoing = request(url, { method, agent, headers: { ...json, ...headers } }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.once('error', failed);
      response.once('end', () => resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString() }));
    });
    outgoing.once('error', failed);
    outgoing.end(typeof body === 'object' ? JSON.stringify(body) : body);
  });
}
