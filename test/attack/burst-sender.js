// A thread that sends requests at once, so that a burst delays nothing that another thread measures.
import { parentPort, workerData } from 'node:worker_threads';
import { sendJson } from '../support/send-json.js';

const responses = await Promise.all(workerData.map(({ url, ...options }) => sendJson(url, options)));
parentPort.postMessage(responses.map(({ status }) => status));
