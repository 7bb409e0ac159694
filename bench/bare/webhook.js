// What bench/webhooks.js compares the service with: an Express handler that checks the same signature and makes one durable insert
// with the native driver. Reads MONGODB_URI and SIGNING_SECRET from the environment, and prints the port that it listens on.
import { createHmac, timingSafeEqual } from 'node:crypto';
import express from 'express';
import { MongoClient } from 'mongodb';

const TOLERANCE_SECONDS = 300;
const key = Buffer.from(process.env.SIGNING_SECRET.replace(/^whsec_/, ''), 'base64');
const client = await new MongoClient(process.env.MONGODB_URI, {
  maxPoolSize: 50,
  writeConcern: { w: 'majority', journal: true },
}).connect();
const events = client.db().collection('bare_events');
await events.createIndex({ eventId: 1 }, { unique: true });

/** Whether the body has one of the signatures of the header, and is not older than 5 minutes (Standard Webhooks). */
function isSigned({ headers, body }) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

const app = express();
app.post('/webhook', express.raw({ type: 'application/json' }), async (request, response) => {
  if (!isSigned(request)) {
    response.status(400).end();
    return;
  }
  const payment = JSON.parse(request.body.toString());
  await events.insertOne({ eventId: request.headers['webhook-id'], ...payment, receivedAt: new Date() });
  response.json({ success: true });
});
const server = app.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
